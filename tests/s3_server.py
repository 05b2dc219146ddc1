"""An S3 on this machine, for the Scala suites.

Prints its port once its bucket `colocate` is there, and ends when its standard input does. It
serves one request at a time, so that "put if there is none" is one step, as it is in S3.
"""

from __future__ import annotations

import sys
import threading
import urllib.request

from moto.moto_server.werkzeug_app import DomainDispatcherApplication, create_backend_app
from werkzeug.serving import make_server


def main() -> None:
    server = make_server("127.0.0.1", 0, DomainDispatcherApplication(create_backend_app))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    bucket = f"http://127.0.0.1:{server.port}/colocate"
    urllib.request.urlopen(urllib.request.Request(bucket, method="PUT")).close()
    print(server.port, flush=True)
    sys.stdin.read()


if __name__ == "__main__":
    main()
