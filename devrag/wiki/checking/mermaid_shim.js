// The least of a browser that Mermaid's parser asks for when V8 runs alone.
// Nothing is drawn here: nodes are inert, so sanitising returns text unchanged.
(() => {
  const root = globalThis;
  root.window = root;
  root.self = root;
  root.addEventListener = () => {};
  root.clearTimeout = () => {};
  root.setTimeout = (work) => {
    Promise.resolve().then(work);
    return 0;
  };
  root.structuredClone ??= (value) => JSON.parse(JSON.stringify(value));

  root.TextEncoder ??= class {
    encode(text) {
      const bytes = unescape(encodeURIComponent(text));
      return Uint8Array.from(bytes, (byte) => byte.charCodeAt(0));
    }
  };

  // Links of nodes are sanitised: it is enough to tell addresses from paths.
  root.URL ??= class {
    static canParse(text) { return /^[a-z][a-z0-9+.-]*:\S+$/i.test(text); }
    constructor(text) {
      if (!root.URL.canParse(text)) throw new TypeError("Invalid URL");
      const [, protocol, hostname = ""] = /^([^:]+:)(?:\/\/([^/:?#]*))?/.exec(text);
      Object.assign(this, { href: text, protocol, hostname });
    }
    toString() { return this.href; }
  };

  // DOMPurify looks these getters up on the prototype when it loads.
  root.Node = class {
    cloneNode() { return this; }
    remove() {}
    get childNodes() { return []; }
    get nextSibling() { return null; }
    get parentNode() { return null; }
  };
  root.Element = class extends root.Node {};
  root.HTMLFormElement = class extends root.Element {};
  root.HTMLTemplateElement = class extends root.Element {};
  root.NamedNodeMap = class {};
  root.NodeFilter = {
    SHOW_ELEMENT: 1,
    SHOW_TEXT: 4,
    SHOW_CDATA_SECTION: 8,
    SHOW_PROCESSING_INSTRUCTION: 64,
    SHOW_COMMENT: 128,
  };

  const body = (html) => ({
    nodeName: "BODY",
    nodeType: 1,
    namespaceURI: "http://www.w3.org/1999/xhtml",
    attributes: [],
    childNodes: [],
    firstChild: null,
    innerHTML: html,
    outerHTML: html,
    appendChild() {},
    insertBefore() {},
    hasChildNodes: () => false,
    querySelectorAll: () => [],
    getElementsByTagName: () => [body(html)],
  });
  const page = (html) => {
    const only = body(html);
    return {
      body: only,
      documentElement: only,
      createElement: () => body(""),
      getElementsByTagName: () => [only],
    };
  };
  root.DOMParser = class {
    parseFromString(html) { return page(html); }
  };
  root.document = {
    ...page(""),
    nodeType: 9,
    currentScript: null,
    implementation: {
      createDocument: () => page(""),
      createHTMLDocument: () => page(""),
    },
    addEventListener() {},
    createDocumentFragment: () => ({}),
    createNodeIterator: () => ({ nextNode: () => null }),
    importNode: (node) => node,
    querySelector: () => null,
    querySelectorAll: () => [],
  };

  // "": the diagram parses; "bad: …": it does not; "harness: …": this shim fell short.
  root.checkDiagram = async (text) => {
    try {
      await root.mermaid.parse(text);
      return "";
    } catch (error) {
      const gaps = [TypeError, ReferenceError, SyntaxError];
      const isGap = gaps.some((kind) => error instanceof kind);
      return `${isGap ? "harness" : "bad"}: ${error?.message ?? error}`;
    }
  };
})();
