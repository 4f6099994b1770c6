import type { Plugin } from 'esbuild'

/** A module of the SDK whose plugin adds nothing to a client. The SDK re-exports the other names, but only the plugin uses them. */
function noPlugin(plugin: string, ...others: readonly string[]): string {
  return [
    `export const ${plugin} = () => ({ applyToStack() {} })`,
    ...others.map((name) => `export const ${name} = undefined`),
  ].join('\n')
}

/** Leaves out what describes each call: to a logger of the SDK, which we do not set, and to AWS in headers with the SDK's name and settings. */
export const leanCalls: Plugin = {
  name: 'lean-calls',
  setup(build) {
    build.onLoad({ filter: /middleware-logger[\\/]loggerMiddleware\.js$/ }, () => ({
      contents: noPlugin('getLoggerPlugin', 'loggerMiddleware', 'loggerMiddlewareOptions'),
    }))
    build.onLoad({ filter: /middleware-user-agent[\\/]user-agent-middleware\.js$/ }, () => ({
      contents: noPlugin('getUserAgentPlugin', 'userAgentMiddleware', 'getUserAgentMiddlewareOptions'),
    }))
  },
}
