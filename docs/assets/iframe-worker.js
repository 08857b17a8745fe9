/* Browsers start no worker from a page on disk. The search of this site runs in one, so there it gets a hidden frame
   instead, with the same messages in and out. Pages from a server keep their workers. */
if (location.protocol === "file:") {
  window.Worker = class extends EventTarget {
    constructor(url) {
      super();
      this.waiting = [];
      const frame = document.createElement("iframe");
      frame.hidden = true;
      // The frame needs a document with a body.
      const attach = () => {
        document.body.appendChild(frame);
        this.start(frame.contentWindow, url);
      };
      document.body ? attach() : addEventListener("DOMContentLoaded", attach);
    }

    start(inside, url) {
      inside.postMessage = (data) => this.dispatchEvent(new MessageEvent("message", { data }));
      inside.importScripts = (...urls) => Promise.all(urls.map((each) => load(inside, each)));
      load(inside, url).then(() => {
        this.inside = inside;
        this.waiting.forEach((data) => this.postMessage(data));
      });
    }

    postMessage(data) {
      if (this.inside) this.inside.dispatchEvent(new MessageEvent("message", { data }));
      else this.waiting.push(data);
    }
  };

  function load(inside, url) {
    const script = inside.document.createElement("script");
    script.src = url;
    return new Promise((done, failed) => {
      script.onload = done;
      script.onerror = failed;
      inside.document.body.appendChild(script);
    });
  }
}
