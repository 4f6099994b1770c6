import { readFile } from 'node:fs/promises'
import { isBuiltin } from 'node:module'
import { join } from 'node:path'
import type { Plugin } from 'esbuild'

const lambdaCredentials = join(import.meta.dirname, 'lambdaCredentials.ts')
const lambdaEndpoint = join(import.meta.dirname, 'lambdaEndpoint.ts')
const lambdaSettings = join(import.meta.dirname, 'lambdaSettings.ts')

/** The host names of the services whose clients are bundled, by the client's name. */
export const hostNames = {
  dynamodb: 'dynamodb',
  kms: 'kms',
  'secrets-manager': 'secretsmanager',
  sesv2: 'email',
} as const
const endpointResolver = new RegExp(
  `client-(${Object.keys(hostNames).join('|')})[\\\\/]dist-es[\\\\/]endpoint[\\\\/]endpointResolver\\.js$`,
)

/**
 * Node's modules that are functions themselves, which packages call or extend. All others load when they are first used, which saves time at
 * the start: crypto alone takes a millisecond or two. esbuild gives their importers an object with the same prototype, and looks up in it
 * whatever the object lacks. When a module loads at once, esbuild copies every name.
 */
const loadedAtOnce: ReadonlySet<string> = new Set(['assert', 'events', 'module', 'stream'])

/** Marks what a plugin resolves itself, so that it does not come back to the plugin. */
const resolved = Symbol('resolved')

/**
 * Replaces modules that the bundles do not need. Figures are import times on Node 24.
 * @see infra/bench, which measures the rest
 */
export const leanModules: Plugin = {
  name: 'lean-modules',
  setup(build) {
    // An `import` of a builtin reads all its lazy getters, and those of node:http load undici: 20 ms, or the same at the first call if the
    // import() is late (https://github.com/nodejs/node/issues/59686). fs, util and process are 1 ms each. This also serves the require()
    // of CommonJS packages, which an ES module does not have.
    build.onResolve({ filter: /^(node:)?[a-z_]+(\/[a-z]+)?$/ }, ({ path }) =>
      isBuiltin(path) ? { path: path.replace(/^node:/, ''), namespace: 'builtin' } : undefined,
    )
    build.onLoad({ filter: /.*/, namespace: 'builtin' }, ({ path }) => ({
      contents: loadedAtOnce.has(path)
        ? `module.exports = process.getBuiltinModule('node:${path}')`
        : `let loaded; const get = (_, key) => Reflect.get((loaded ??= process.getBuiltinModule('node:${path}')), key)
           module.exports = Object.create(new Proxy({}, { get }))`,
    }))

    // SSO, profiles, web identity, processes and instance metadata never answer on Lambda: 140 KB and 10 ms.
    build.onResolve({ filter: /^@aws-sdk\/credential-provider-node$/ }, () => ({ path: lambdaCredentials }))

    // At the first call, the SDK decides on a region's endpoint by diagrams of all options: a twentieth of a start.
    build.onLoad({ filter: endpointResolver }, ({ path }) => {
      const client = Object.entries(hostNames).find(([name]) => name === endpointResolver.exec(path)?.[1])
      return {
        contents: `
          import { endpointsOf } from ${JSON.stringify(lambdaEndpoint)}
          export const defaultEndpointResolver = endpointsOf('${client?.[1]}')`,
      }
    })

    // Lambda has no settings files. When a client makes its first call, it looks for them once per setting that the environment lacks.
    build.onLoad({ filter: /node-config-provider[\\/]configLoader\.js$/ }, () => ({
      contents: `export { loadConfig } from ${JSON.stringify(lambdaSettings)}`,
    }))

    // Answers and bodies are Node's streams. The check if a stream is a web stream would load web streams.
    build.onLoad({ filter: /util-stream[\\/]stream-type-check\.js$/ }, () => ({
      contents: `
        export const isReadableStream = () => false
        export const isBlob = () => false`,
    }))

    // It measures the time of all tries together, with a clock that Node loads for it. No code here limits that time.
    build.onLoad({ filter: /p-retry[\\/]index\.js$/ }, async ({ path }) => ({
      contents: `const performance = Date\n${await readFile(path, 'utf8')}`,
    }))

    // A cache for DynamoDB's endpoint discovery, used only if that is switched on.
    build.onResolve({ filter: /^@aws-sdk\/endpoint-cache$/ }, ({ path }) => ({ path, namespace: 'no-cache' }))
    build.onLoad({ filter: /.*/, namespace: 'no-cache' }, () => ({ contents: 'export class EndpointCache {}' }))

    // The SDK imports its event streams late. When code splitting is off, esbuild then wraps 150 of the SDK's modules for late
    // initialization and shakes none of them: 20 KB and 6 ms. We use no operation that has an event stream.
    build.onResolve({ filter: /^@smithy\/core\/event-streams$/ }, ({ path }) => ({ path, namespace: 'left-out' }))
    build.onLoad({ filter: /.*/, namespace: 'left-out' }, ({ path }) => ({
      contents: `throw new Error('${path} is left out of the bundles')`,
    }))

    // It does nothing when it is imported and not used, but its package.json does not say so. Saves 245 KB and 6 ms if a module is shared
    // with functions that call Stripe.
    build.onResolve({ filter: /^stripe$/ }, async ({ path, kind, resolveDir, pluginData }) =>
      pluginData === resolved
        ? undefined
        : { ...(await build.resolve(path, { kind, resolveDir, pluginData: resolved })), sideEffects: false },
    )
  },
}

/** Zod in bundles, without its just-in-time compiler. */
export const leanZod: Plugin = {
  name: 'lean-zod',
  setup(build) {
    // Zod compiles a parser for an object at its first parse. A function parses few objects, and most of them once: its environment, a
    // contract. The configuration must be set before any schema is made, so it comes with zod.
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
