// Zombie Dice by a rule of thumb, for node. README.md has all messages.
"use strict";

const { createInterface } = require("node:readline");

function choose(observation, legalActions) {
  // Without a brain there is nothing to lose, whatever the shotguns.
  if (observation.shotguns >= 2 && observation.brains > 0) return "stop";
  // It never boards the bus, without which the dice may not do for a roll.
  return legalActions.includes("roll") ? "roll" : "stop";
}

function answer(request) {
  switch (request.type) {
    case "load":
      return { games: ["zombie_dice"], name: "stop_at_two in JavaScript" };
    case "act":
      return { action: choose(request.observation, request.legal_actions) };
    default: // begin and end: it remembers nothing
      return {};
  }
}

createInterface({ input: process.stdin }).on("line", (line) => {
  const request = JSON.parse(line);
  let reply;
  try {
    reply = answer(request);
  } catch (error) {
    // It costs this game; the others go on.
    reply = { error: String(error) };
  }
  process.stdout.write(JSON.stringify({ id: request.id, ...reply }) + "\n");
});
