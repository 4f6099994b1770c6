import type { Plugin } from 'esbuild'

const resolved = Symbol('resolved')

/** Zod as the bundles take it. */
export const leanZod: Plugin = {
  name: 'lean-zod',
  setup(build) {
    // Zod compiles a parser for an object at its first parse. A function parses few objects, each of them a few fields, and most of them
    // once in its life: its environment, a contract. The configuration has to be set before any schema is made, so it comes with zod.
    build.onResolve({ filter: /^zod\/mini$/ }, async ({ path, kind, resolveDir, pluginData }) =>
      pluginData === resolved ? undefined : { path, namespace: 'configured-zod', pluginData: { kind, resolveDir } },
    )
    build.onLoad({ filter: /.*/, namespace: 'configured-zod' }, async ({ pluginData: { kind, resolveDir } }) => {
      const { path } = await build.resolve('zod/mini', { kind, resolveDir, pluginData: resolved })
      return {
        contents: `import { config } from 'zod/v4/core'; config({ jitless: true }); export * from ${JSON.stringify(path)}`,
        resolveDir,
      }
    })
  },
}
