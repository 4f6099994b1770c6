import { pathToFileURL } from 'node:url'
import type { Plugin } from 'esbuild'

const resolved = Symbol('resolved')

/** Only documents are made of schemas, never answers: what turns them into JSON Schema is a fifth of zod. */
const leftOut = /zod[\\/]v4[\\/]core[\\/](?:json-schema-processors|to-json-schema)\.js$/

/** Zod as the bundles take it. Figures are of import times on Node 24. */
export const leanZod: Plugin = {
  name: 'lean-zod',
  setup(build) {
    // Zod compiles a parser for an object at its first parse. A function parses few objects, each of them a few fields, and most of them
    // once in its life: its environment, a contract. The configuration has to be set before any schema is made, so it comes with zod.
    build.onResolve({ filter: /^zod$/ }, async ({ path, kind, resolveDir, pluginData }) =>
      pluginData === resolved ? undefined : { path, namespace: 'configured-zod', pluginData: { kind, resolveDir } },
    )
    build.onLoad({ filter: /.*/, namespace: 'configured-zod' }, async ({ pluginData: { kind, resolveDir } }) => {
      const { path } = await build.resolve('zod', { kind, resolveDir, pluginData: resolved })
      return {
        contents: `import { config } from 'zod/v4/core'; config({ jitless: true }); export * from ${JSON.stringify(path)}`,
        resolveDir,
      }
    })

    build.onLoad({ filter: leftOut }, async ({ path }) => {
      const names = Object.keys(await import(pathToFileURL(path).href))
      return {
        contents: `
          const none = () => { throw new Error('JSON Schema is left out of the bundles') }
          export { ${names.map((name) => `none as ${name}`).join()} }`,
      }
    })

    // Follows cycles in values, which none out of JSON or DynamoDB has, and looks for them in every schema at its first parse.
    build.onLoad({ filter: /zod[\\/]v4[\\/]core[\\/]memoizer\.js$/ }, () => ({
      contents: `
        export class $ZodCyclicError extends Error {}
        export const isBackEdge = () => false
        export const isRecursiveSchema = () => false
        export const memoizer = () => ({ alloc: (_schema, _payload, empty) => empty, guard() {}, attach() {} })`,
    }))
  },
}
