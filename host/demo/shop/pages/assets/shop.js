"use strict";

const result = document.getElementById("result");
const button = document.getElementById("checkout");
const total = document.getElementById("total").textContent;

function show(state, text) {
  result.dataset.state = state;
  result.textContent = text;
}

// checkout asks as shops did before they had dialogs of their own.
function checkout() {
  show("open", "Waiting for your confirmation…");
  if (!confirm(`Place the order of ${button.dataset.items} items for ${total}?`)) {
    show("cancelled", "The order was not placed.");
    return;
  }
  const gift = prompt("Gift message?", "Enjoy your tea!");
  show("placed", gift === null || gift === "" ? "Order placed, without a gift message." : `Order placed. Gift message: “${gift}”`);
}

button.addEventListener("click", checkout);
for (const add of document.querySelectorAll("[data-add]")) {
  add.addEventListener("click", () => { add.textContent = "1 in cart"; });
}
if (new URLSearchParams(location.search).has("checkout")) {
  addEventListener("load", checkout);
}
