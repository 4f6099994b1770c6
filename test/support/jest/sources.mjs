/** What `bundledSources.mjs` wrote, in this test file's context. A module, so that `jest.resetModules()` loads it anew. */
export default globalThis[Symbol.for('load test sources')]()
