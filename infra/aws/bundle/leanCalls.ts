import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Plugin, PluginBuild } from 'esbuild'

/** A change to a module of the SDK. */
interface Edit {
  readonly module: RegExp
  readonly from: string | RegExp
  readonly to: string
}

/**
 * What each call of the SDK does without a use: with `lambdaSha256.ts`, a sixth of the processor time of the hottest read.
 * @see infra/decisions/warm.md, which has the figures
 */
export const edits: readonly Edit[] = [
  {
    // The SDK assigns the client's 50 settings in a dozen steps, so V8 keeps them as a hash table. Each call copies them five times, in 5 µs;
    // it takes 0.05 µs to copy a copy.
    module: /client-[\w-]+[\\/]dist-es[\\/]\w+Client\.js$/,
    from: /this\.config = (_config_\d+);/,
    to: 'this.config = { ...$1 };',
  },
  {
    // A signer is made for each call. It reads five of the settings, which are named behind the copy of all.
    module: /aws_sdk[\\/]resolveAwsSdkSigV4Config\.js$/,
    from: /\.\.\.config,\s+(?=credentials: )/g,
    to: '',
  },
  {
    // An error for the case that no attempt fails with another: its stack trace takes 20 µs in each call.
    module: /middleware-retry[\\/]retryMiddleware\.js$/,
    from: 'let lastError = new Error();',
    to: 'let lastError;',
  },
]

/** A module of the SDK whose plugin adds nothing to a client. The SDK re-exports the other names, but only the plugin uses them. */
function noPlugin(plugin: string, ...others: readonly string[]): string {
  return [
    `export const ${plugin} = () => ({ applyToStack() {} })`,
    ...others.map((name) => `export const ${name} = undefined`),
  ].join('\n')
}

/** Leaves out what describes each call: to a logger of the SDK, which we do not set, and to AWS in headers with the SDK's name and settings. */
function leaveOutDescriptions(build: PluginBuild): void {
  build.onLoad({ filter: /middleware-logger[\\/]loggerMiddleware\.js$/ }, () => ({
    contents: noPlugin('getLoggerPlugin', 'loggerMiddleware', 'loggerMiddlewareOptions'),
  }))
  build.onLoad({ filter: /middleware-user-agent[\\/]user-agent-middleware\.js$/ }, () => ({
    contents: noPlugin('getUserAgentPlugin', 'userAgentMiddleware', 'getUserAgentMiddlewareOptions'),
  }))
}

/** Makes the SDK's calls cheaper. The build fails if a module does not say what is changed in it. */
export const leanCalls: Plugin = {
  name: 'lean-calls',
  setup(build) {
    leaveOutDescriptions(build)

    build.onLoad({ filter: /sha256[\\/]Sha256Node\.js$/ }, () => ({
      contents: `export { Sha256Node } from ${JSON.stringify(join(import.meta.dirname, 'lambdaSha256.ts'))}`,
    }))
    for (const { module, from, to } of edits) {
      build.onLoad({ filter: module }, async ({ path }) => {
        const before = await readFile(path, 'utf8')
        const contents = before.replace(from, to)
        return contents === before ? { errors: [{ text: `${path} does not say ${from}` }] } : { contents }
      })
    }
  },
}
