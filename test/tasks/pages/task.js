// What all tasks share: chance from the seed, the goal, and the reward.
"use strict";
const task = (() => {
  const seed = Number(new URLSearchParams(location.search).get("seed")) || 1;
  let state = (seed * 0x9e3779b9) >>> 0;
  // random is in [0, 1), the same for the same seed (mulberry32).
  function random() {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  }
  const int = (from, to) => from + Math.floor(random() * (to - from + 1));
  const pick = (list) => list[int(0, list.length - 1)];
  function shuffle(list) {
    const out = list.slice();
    for (let i = out.length - 1; i > 0; i--) {
      const j = int(0, i);
      [out[i], out[j]] = [out[j], out[i]];
    }
    return out;
  }
  const names = "Ada Bela Cora Dino Edda Finn Gita Hugo Iris Jens Kaya Lars Mona Nils Olga Pavel Rosa Sven Tara Uwe".split(" ");
  const families = "Adler Brandt Conrad Dietz Ebert Fuchs Graf Horn Jansen Keller Lang Maurer Noll Otto Pohl Ritter Sommer Thoma Urban Vogel".split(" ");
  const person = () => pick(names) + " " + pick(families);
  function people(n) {
    const out = new Set();
    while (out.size < n) out.add(person());
    return Array.from(out);
  }

  const self = { seed, random, int, pick, shuffle, names, families, person, people, reward: undefined, goal: "", trusted: true };
  // aim tells the goal.
  self.aim = (text) => {
    self.goal = text;
    const p = document.createElement("p");
    p.id = "goal";
    p.textContent = "Goal: " + text;
    document.body.prepend(p);
  };
  // end settles the reward; the first call counts.
  self.end = (reached) => {
    if (self.reward !== undefined) return;
    self.reward = reached && self.trusted ? 1 : 0;
    const out = document.createElement("output");
    out.id = "outcome";
    out.textContent = self.reward ? "Goal reached." : "Goal missed.";
    document.body.append(out);
  };
  // Only a user's input counts.
  for (const type of ["click", "keydown"]) {
    addEventListener(type, (e) => { self.trusted = self.trusted && e.isTrusted; }, true);
  }
  return self;
})();
const $ = (selector, root = document) => root.querySelector(selector);
const el = (tag, props = {}, ...children) => {
  const node = Object.assign(document.createElement(tag), props);
  node.append(...children);
  return node;
};
