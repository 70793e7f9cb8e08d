// Tries what it is told to, line by line: a word and an argument.
//
// Each answer is one line: "done", the code of the error, or what was asked for.

import { spawnSync } from "node:child_process";
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { createInterface } from "node:readline";

const attempts = {
  echo: (text) => text,
  read: (path) => void readFileSync(path),
  list: (path) => void readdirSync(path),
  write: (path) => void writeFileSync(path, "text"),
  signal: (pid) => void process.kill(Number(pid), 0),
  memory: (mebibytes) => void Buffer.alloc(Number(mebibytes) * 2 ** 20),
  fork: (program) => {
    const { error } = spawnSync(program, ["--version"]);
    if (error) throw error;
  },
  connect: (port) =>
    new Promise((resolve, reject) => {
      const socket = connect(Number(port), "127.0.0.1", () => {
        socket.destroy();
        resolve();
      });
      socket.on("error", reject);
    }),
};

for await (const line of createInterface({ input: process.stdin })) {
  const [word, argument] = line.split(" ", 2);
  try {
    console.log((await attempts[word](argument)) ?? "done");
  } catch (error) {
    console.log(error.code ?? error.message);
  }
}
