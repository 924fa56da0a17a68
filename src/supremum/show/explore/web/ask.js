// Asking the engine: the server that sent this page, or Python in a worker. Answers are kept, and
// those to the first questions are written into the page.

const LONGEST_WAIT = 30_000;
const MOST_KEPT = 300;

const written = JSON.parse(byId("written").textContent);
const keyOf = (question) => JSON.stringify(question, Object.keys(question).sort());
const kept = new Map(written.answers.map(([question, answer]) => [keyOf(question), Promise.resolve(answer)]));

// Returns what the engine answers; texts that are empty are as if they were not there.
function ask(question) {
  const key = keyOf(Object.fromEntries(Object.entries(question).filter(([, text]) => text !== "")));
  if (!kept.has(key)) {
    if (kept.size > MOST_KEPT) kept.delete(kept.keys().next().value);
    kept.set(key, engine.ask(key).catch((error) => {
      kept.delete(key);
      return { error: error.message };
    }));
  }
  return kept.get(key);
}

class Server {
  start() {}

  async ask(text) {
    const stopped = "supremum explore does not answer; start it again, and open the address that it prints";
    const told = await fetch("ask", { method: "POST", body: text, signal: AbortSignal.timeout(LONGEST_WAIT) }).catch(() => null);
    if (!told?.ok) throw new Error(told ? await told.text() : stopped);
    return told.json();
  }
}

// Python in a worker, by Pyodide. What takes too long, or breaks it, is refused, and it starts again.
class Worked {
  asked = new Map();
  last = 0;

  start() {
    const began = performance.now();
    say("The engine is loading: Python, 6 MB as a server compresses it, once. What you see was written when the page was built.");
    try {
      this.worker = new Worker("worker.js", { type: "module" });
    } catch {
      this.fail("a browser runs this page's Python only if a server sends it; type python -m http.server in its folder");
      return;
    }
    this.worker.onmessage = ({ data: { ready, failed, id, answer } }) => {
      if (failed) this.fail(failed);
      else if (ready) this.arrived(ready, performance.now() - began);
      else this.asked.get(id)?.tell(JSON.parse(answer));
    };
    this.worker.onerror = (event) => this.fail(event.message || "worker.js, pyodide or engine.zip is missing beside this page");
  }

  arrived(version, took) {
    this.isReady = true;
    say(`Answers are those of the Python package, by Python ${version} in this page; it was there after ${(took / 1000).toFixed(1)} s. Nothing is sent anywhere.`);
    performance.mark("ready");
    for (const waiting of this.asked.values()) waiting.clock();
  }

  fail(why) {
    this.broken = why;
    say(`The engine does not run: ${why}.`);
    this.refuse(`the engine does not run: ${why}`);
  }

  refuse(why) {
    for (const { refuse } of this.asked.values()) refuse(new Error(why));
    this.asked.clear();
  }

  restart(why) {
    this.worker.terminate();
    this.refuse(why);
    this.isReady = false;
    this.start();
  }

  ask(text) {
    if (this.broken) return Promise.reject(new Error(`the engine does not run: ${this.broken}`));
    const id = ++this.last;
    return new Promise((resolve, refuse) => {
      let timer;
      const clock = () => { timer ??= setTimeout(() => this.restart("this takes too long; ask for less"), LONGEST_WAIT); };
      const tell = (answer) => {
        clearTimeout(timer);
        this.asked.delete(id);
        if (answer.broke) this.restart(`this is too much for the browser's Python: ${answer.broke}`);
        resolve(answer.broke ? { error: "this is too much for the browser's Python; the command may answer it" } : answer);
      };
      this.asked.set(id, { tell, refuse, clock });
      this.worker.postMessage({ id, question: text });
      if (this.isReady) clock();
    });
  }
}

function say(text) {
  byId("engine").textContent = text;
}

const engine = written.engine === "server" ? new Server() : new Worked();
