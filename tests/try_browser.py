"""Opens the HTML form of a report in Chromium, and looks at it as a reader would.

Run it with the Python that has Supremum and NumPy, and Chromium on the PATH:
``python tests/try_browser.py [SCREENSHOT.png]``. It changes nothing outside a temporary folder,
but for the screenshot that it is asked for.
"""

import base64
import json
import os
import shutil
import subprocess
import sys
import tempfile
from contextlib import contextmanager
from pathlib import Path

from supremum import audit

PROGRAM = """\
\"\"\"Sharpens an image, which is float32 from the camera on.\"\"\"

import numpy as np


def kernel(width):
    window = np.hanning(width)
    return window / window.sum()


def blurred(image, width=9):
    taps = kernel(width)
    padded = np.pad(image, ((width // 2, width // 2), (0, 0)), mode="edge")
    out = np.zeros_like(image)
    for i in range(width):
        out += taps[i] * padded[i : i + len(image)]
    return out


def sharpened(image, amount=0.6):
    return image + amount * (image - blurred(image))


def vignette(height, width):
    y = np.linspace(-0.5, 0.5, height)[:, None]
    x = np.linspace(-0.5, 0.5, width, dtype=np.float32)
    return 1 - y**2 - x**2


image = np.random.default_rng(1).random((256, 256), dtype=np.float32)
image = sharpened(image)
image *= vignette(*image.shape)
ramp = np.arange(256, dtype=np.int32) * image[0]
faint = image[:1].astype(np.float16) * 1e-9
"""

WIDTHS = {"desktop": 1200, "phone": 390}
SCHEMES = ("light", "dark")

COUNTS = """({
    articles: document.querySelectorAll("article").length,
    causes: document.querySelectorAll(".line .cause").length,
    wide: document.documentElement.scrollWidth - innerWidth,
    lost: [...document.querySelectorAll("a[href^='#']")].filter(
        a => !document.getElementById(a.hash.slice(1))).length,
    paper: getComputedStyle(document.body).backgroundColor,
})"""
# how far each label is from the character that it is to stand under, in pixels
OFF = """[...document.querySelectorAll(".dtype")].map(label => {
    let before = 0;
    for (let e = label; e = e.previousElementSibling;)
        if (e.matches(".pad")) before += e.textContent.length;
    let line = label.parentElement;
    while (!line.matches(".line")) line = line.previousElementSibling;
    const texts = document.createTreeWalker(line, NodeFilter.SHOW_TEXT);
    texts.nextNode();  // the line's number
    let text = texts.nextNode();
    for (; before >= text.length; text = texts.nextNode()) before -= text.length;
    const range = document.createRange();
    range.setStart(text, before);
    range.setEnd(text, before + 1);
    return Math.abs(range.getBoundingClientRect().left - label.getBoundingClientRect().left);
})"""


class Browser:
    """A headless Chromium, spoken to through a pipe."""

    def __init__(self, name, profile):
        theirs_in, self._write = os.pipe()
        self._read, theirs_out = os.pipe()

        def pipes():
            high = os.dup(theirs_out)
            os.dup2(theirs_in, 3)
            os.dup2(high, 4)

        self._process = subprocess.Popen(
            [name, "--headless=new", "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe",
             f"--user-data-dir={profile}"],
            pass_fds=(3, 4), preexec_fn=pipes,  # noqa: PLW1509  # the pipe's ends are 3 and 4
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        os.close(theirs_in)
        os.close(theirs_out)
        self._rest, self._last = b"", 0
        self.errors = []
        target = self.ask("Target.createTarget", url="about:blank")["targetId"]
        attached = self.ask("Target.attachToTarget", targetId=target, flatten=True)
        self._session = {"sessionId": attached["sessionId"]}
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.ask(f"{domain}.enable")

    _session = {}  # noqa: RUF012  # replaced, never changed

    def ask(self, method, **params):
        self._last += 1
        message = {"id": self._last, "method": method, "params": params, **self._session}
        os.write(self._write, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._hear()
            if answer.get("id") == self._last:
                assert "error" not in answer, answer
                return answer["result"]

    def until(self, event):
        while self._hear().get("method") != event:
            pass

    def _hear(self):
        while b"\0" not in self._rest:
            more = os.read(self._read, 1 << 16)
            assert more, "the browser is gone"
            self._rest += more
        told, _, self._rest = self._rest.partition(b"\0")
        message = json.loads(told)
        params = message.get("params", {})
        if message.get("method") == "Log.entryAdded" and params["entry"]["level"] == "error":
            self.errors.append(params["entry"]["text"])
        if message.get("method") == "Runtime.exceptionThrown":
            self.errors.append(params["exceptionDetails"]["text"])
        if message.get("method") == "Network.requestWillBeSent":
            address = params["request"]["url"]
            if not address.startswith(("file:", "data:")):
                self.errors.append(f"asked for {address}")
        return message

    def open(self, path, width, scheme):
        self.errors = []
        self.ask(
            "Emulation.setDeviceMetricsOverride",
            width=width, height=1000, deviceScaleFactor=1, mobile=width < 600,
        )  # fmt: skip
        feature = {"name": "prefers-color-scheme", "value": scheme}
        self.ask("Emulation.setEmulatedMedia", features=[feature])
        self.ask("Page.navigate", url=path.as_uri())
        self.until("Page.loadEventFired")

    def value(self, expression):
        answer = self.ask("Runtime.evaluate", expression=expression, returnByValue=True)
        return answer["result"]["value"]

    def screenshot(self, path):
        image = self.ask("Page.captureScreenshot", captureBeyondViewport=True, format="png")
        Path(path).write_bytes(base64.b64decode(image["data"]))

    def close(self):
        self._process.terminate()
        self._process.wait(30)
        os.close(self._write)
        os.close(self._read)


@contextmanager
def browser():
    names = ("chromium", "chromium-browser", "google-chrome", "chrome")
    name = next(filter(None, map(shutil.which, names)), None)
    if name is None:
        sys.exit("there is no chromium on the PATH")
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        opened = Browser(name, profile)
        try:
            yield opened
        finally:
            opened.close()


def check(shown, page, findings):
    """Look at a page at each width and in each scheme."""
    papers = set()
    for name, width in WIDTHS.items():
        for scheme in SCHEMES:
            shown.open(page, width, scheme)
            counts = shown.value(COUNTS)
            assert shown.errors == [], shown.errors
            assert counts["articles"] == findings, counts
            assert counts["causes"] >= findings, counts
            assert counts["wide"] <= 0, f"{name} scrolls sideways: {counts}"
            assert counts["lost"] == 0, counts
            off = shown.value(OFF)
            assert off, off
            assert max(off) < 1, f"labels are {off} pixels off"
            papers.add(counts["paper"])
    assert len(papers) == len(SCHEMES), papers


def check_that_checks_fail(shown, page, findings):
    """See pages that are broken refused, each in its own way."""
    text = page.read_text(encoding="utf-8")
    breaks = {
        "a script": ("</main>", "<script>nothing()</script></main>"),
        "a picture from elsewhere": ("</main>", '<img src="http://localhost:1/x.png"></main>'),
        "too wide": ("<main>", '<main style="min-width: 2000px">'),
        "a finding too many": ("</main>", "<article></article></main>"),
        "a link to nowhere": ('href="#f1"', 'href="#f99"'),
        "labels out of place": (".pad {", ".pad { letter-spacing: 1px;"),
        "one scheme": ("prefers-color-scheme: dark", "prefers-color-scheme: none"),
    }
    for name, (old, new) in breaks.items():
        assert old in text, name
        broken = page.with_name("broken.html")
        broken.write_text(text.replace(old, new), encoding="utf-8")
        try:
            check(shown, broken, findings)
        except AssertionError:
            continue
        sys.exit(f"not noticed: {name}")


def main(screenshot=None):
    with tempfile.TemporaryDirectory() as folder, browser() as shown:
        os.chdir(folder)
        Path("sharpen.py").write_text(PROGRAM, encoding="utf-8")
        report = audit.run("sharpen.py")
        page = Path(folder, "report.html")
        page.write_text(audit.render(report, "html"), encoding="utf-8")
        check(shown, page, len(report.findings))
        check_that_checks_fail(shown, page, len(report.findings))
        print(f"{len(report.findings)} findings, as they should be")
        if screenshot:
            shown.open(page, WIDTHS["desktop"], "light")
            shown.screenshot(screenshot)
        os.chdir("/")


if __name__ == "__main__":
    main(*(str(Path(argument).resolve()) for argument in sys.argv[1:]))
