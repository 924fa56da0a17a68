// The engine in a worker: Python, with the package as it is installed elsewhere.

import { loadPyodide } from "./pyodide/pyodide.mjs";

const ready = start();

async function start() {
  const [python, archive] = await Promise.all([loadPyodide(), fetch("engine.zip")]);
  if (!archive.ok) throw new Error("engine.zip is missing beside this page");
  python.unpackArchive(await archive.arrayBuffer(), "zip", { extractDir: "/engine" });
  python.runPython("import sys; sys.path.insert(0, '/engine')");
  const answer = python.runPython("from supremum.show.explore.questions import answer; answer");
  postMessage({ ready: python.runPython("sys.version.partition(' ')[0]") });
  return answer;
}

ready.catch((error) => postMessage({ failed: String(error.message ?? error) }));

onmessage = async ({ data: { id, question } }) => {
  const answer = await ready;
  try {
    postMessage({ id, answer: answer(question) });
  } catch (error) {
    postMessage({ id, answer: JSON.stringify({ broke: String(error.message ?? error).slice(-300) }) });
  }
};
