"""Has schemathesis try every operation of a server against the OpenAPI document that it serves: as one player, whose saves
it finds again, and with so much room that nothing is refused for want of it.

    python run.py PINTU CASES [OPTION...]
"""

import pathlib
import subprocess
import sys
import tempfile
import urllib.request

ROOM = ["growth_bytes=1TiB", "growth_bytes_of_address=1TiB", "saves=1000000", "records=1000000", "waiting=64"]
GUESSES = [f"{name}=1000000" for name in ("guesses", "guesses_of_address", "guesses_in_total")]
SHORT = ["search_time=1s", "usual_search_time=1s"]


def main(pintu, cases, *others):
    here = pathlib.Path(__file__).parent
    schemathesis = pathlib.Path(sys.executable).with_name("schemathesis")
    with tempfile.TemporaryDirectory() as data:
        options = [option for setting in ROOM + GUESSES + SHORT for option in ("--set", setting)]
        serve = [pintu, "serve", "--no-open", "--addr", "127.0.0.1:0", "--data", f"{data}/server", *options]
        with subprocess.Popen(serve, stdout=subprocess.PIPE, text=True) as server:
            try:
                address = server.stdout.readline().removeprefix("listening on ").strip()
                with urllib.request.urlopen(address) as page:
                    cookie = page.headers["Set-Cookie"].split(";")[0]
                command = [schemathesis, "--config-file", here / "schemathesis.toml", "run", f"{address}api/openapi.json"]
                limits = ["--max-examples", cases, "--warnings", "off", "--generation-database", "none"]
                return subprocess.run([*command, *limits, *others, "--header", f"Cookie: {cookie}"], cwd=data).returncode
            finally:
                server.terminate()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
