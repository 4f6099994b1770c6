import { parseArgs } from 'node:util'
import { usualPublishableKeys, usualSecretKeys } from '../wire/apiKey.ts'
import { isAcceptable } from '../wire/apiVersions.ts'

/** The port if none is named. */
const usualPort = 12111

/** What `--help` prints. */
export const usage = `stripe-emulator [options], or in its repository npm run stripe -- [options]

  --port N                   listen on 127.0.0.1:N (${usualPort}; 0 takes a free port)
  --webhook URL=SECRET       deliver every event to URL, signed with SECRET (whsec_...); may be repeated
  --data DIR                 keep all objects in DIR over restarts; without it they end with the process
  --key sk_test_...          the secret key to accept (${usualSecretKeys[0]}); may be repeated
  --publishable-key pk_test_...    the key to accept from browsers (${usualPublishableKeys[0]}); may be repeated
  --api-version VERSION      accept a version of another release, or any; may be repeated. Answers keep the newest shapes
  --help                     this text

Point your SDK at it by its base URL: the README shows how, for every language. It ends with Ctrl+C.`

/** How to run the emulator by itself. */
export interface RunOptions {
  readonly port: number
  readonly webhooks: readonly { readonly url: string; readonly secret: string }[]
  readonly dataDir: string | undefined
  readonly secretKeys: readonly string[]
  readonly publishableKeys: readonly string[]
  readonly apiVersions: readonly string[]
}

/** An option that cannot be used; its message says why, in a single line. */
export class OptionError extends Error {}

/** Reads the arguments of the command; undefined if they ask for help. Throws OptionError when an option is unknown or its value is wrong. */
export function readRunOptions(args: readonly string[]): RunOptions | undefined {
  const values = parsed(args)
  if (values.help) return undefined
  return {
    port: portOf(values.port),
    webhooks: values.webhook.map(webhookOf),
    dataDir: values.data,
    secretKeys: keysOf(values.key, /^[rs]k_test_\w+$/, 'key', 'sk_test_...'),
    publishableKeys: keysOf(values['publishable-key'], /^pk_test_\w+$/, 'publishable-key', 'pk_test_...'),
    apiVersions: versionsOf(values['api-version']),
  }
}

function parsed(args: readonly string[]) {
  try {
    const text = { type: 'string' } as const
    const { values } = parseArgs({
      args: [...args],
      options: {
        port: { ...text, default: String(usualPort) },
        webhook: { ...text, multiple: true, default: [] },
        data: text,
        key: { ...text, multiple: true, default: [...usualSecretKeys] },
        'publishable-key': { ...text, multiple: true, default: [...usualPublishableKeys] },
        'api-version': { ...text, multiple: true, default: [] },
        help: { type: 'boolean', default: false },
      },
    })
    return values
  } catch (error) {
    // Its message goes on with advice that is of no use here: the first sentence says it all.
    const [first = ''] = String(error)
      .replace(/^\w+(?: \[\w+\])?: /, '')
      .split(/\. |\n/)
    throw new OptionError(`${first}: see --help`)
  }
}

function portOf(text: string): number {
  const port = Number(text)
  if (/^\d+$/.test(text) && port <= 65_535) return port
  throw new OptionError(`--port ${text} is no port: name one from 0 to 65535`)
}

function webhookOf(text: string): { url: string; secret: string } {
  // A URL may have equals signs of its own, and so may a secret.
  const [, url = '', secret = ''] = /^(.+?)=(whsec_.+)$/.exec(text) ?? []
  if (/^https?:\/\//.test(url) && URL.canParse(url)) return { url, secret }
  throw new OptionError(`--webhook ${text} is not URL=SECRET, such as http://127.0.0.1:4242/webhook=whsec_test`)
}

function versionsOf(versions: readonly string[]): readonly string[] {
  const wrong = versions.find((version) => !isAcceptable(version))
  if (wrong === undefined) return versions
  throw new OptionError(`--api-version ${wrong} is no version: name one such as 2024-06-20, or any`)
}

function keysOf(keys: readonly string[], pattern: RegExp, option: string, example: string): readonly string[] {
  if (keys.every((key) => pattern.test(key))) return keys
  // The key itself is not repeated: it may be one of live mode.
  throw new OptionError(`--${option} takes keys of test mode: ${example}`)
}
