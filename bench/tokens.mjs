// Prints how many o200k_base tokens standard input has.
import { readFileSync } from "node:fs";
import { encode } from "gpt-tokenizer/encoding/o200k_base";

console.log(encode(readFileSync(0, "utf8")).length);
