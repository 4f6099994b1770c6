import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startStripeEmulator } from '../../index.ts'
import { formatForm } from '../../params/form.ts'
import { isRecord } from '../../wire/wire.ts'

/** A request of a fixture, as the CLI's own files have it. `${name:path}` in it is a member of an earlier answer. */
interface FixtureRequest {
  name: string
  path: string
  method: string
  expected_error_type?: string
  params?: object
}

/** The version that the CLI is told to send: the newest before the release of the emulator, which refuses what the fixtures still send. */
const version = '2026-08-26.dahlia'

/** The member that `data.0.id` names. */
function memberOf(value: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((here, part) => {
    if (Array.isArray(here)) return here[Number(part)]
    return isRecord(here) ? here[part] : undefined
  }, value)
}

function filled(text: string, answers: ReadonlyMap<string, unknown>): string {
  return text.replaceAll(/\$\{(\w+):([\w.]+)\}/g, (_all, name: string, path: string) =>
    String(memberOf(answers.get(name), path) ?? ''),
  )
}

/** Runs the requests of a fixture as `stripe trigger` does. Returns why it failed; undefined if it passed. */
async function failureOf(event: string, requests: FixtureRequest[]): Promise<string | undefined> {
  const { url, key, close } = await startStripeEmulator({ apiVersions: ['any'], warn: () => {} })
  const send = async (method: string, path: string, params: object = {}): Promise<unknown> => {
    const form = formatForm(params)
    const inQuery = method === 'GET' && form !== ''
    const response = await fetch(`${url}${path}${inQuery ? `?${form}` : ''}`, {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/x-www-form-urlencoded',
        'stripe-version': version,
      },
      ...(method !== 'GET' && { body: form }),
    })
    return response.json()
  }
  try {
    const answers = new Map<string, unknown>()
    for (const request of requests) {
      const params: unknown = JSON.parse(filled(JSON.stringify(request.params ?? {}), answers))
      const path = filled(request.path, answers)
      const answer = await send(request.method.toUpperCase(), path, isRecord(params) ? params : {})
      const error = isRecord(answer) ? answer.error : undefined
      if (isRecord(error) && (!request.expected_error_type || error.type !== request.expected_error_type))
        return `${request.method.toUpperCase()} ${path}: ${String(error.message).split('. ')[0]}`
      answers.set(request.name, answer)
    }
    // Two fixtures are named after what they are for, and not after an event.
    if (event.startsWith('subscription.payment_')) return undefined
    const seen = memberOf(await send('GET', '/v1/events', { type: event }), 'data.0.type')
    return seen === event ? undefined : `no event ${event}`
  } finally {
    await close()
  }
}

/** The folder of the fixtures: the folder named, or that of a fresh clone of the CLI. */
function fixturesFolder(named: string | undefined): { folder: string; remove: () => void } {
  if (named !== undefined) return { folder: named, remove: () => {} }
  const clone = mkdtempSync(join(tmpdir(), 'stripe-cli-'))
  const source = 'https://github.com/stripe/stripe-cli'
  execFileSync('git', ['clone', '--quiet', '--depth', '1', source, clone], { stdio: 'inherit' })
  return { folder: join(clone, 'pkg/fixtures/triggers'), remove: () => rmSync(clone, { recursive: true }) }
}

/** `npm run triggers -w stripe-emulator -- [folder]`: runs the fixtures of `stripe trigger`, and prints which pass and why others do not. */
async function runTriggers(): Promise<void> {
  const { folder, remove } = fixturesFolder(process.argv[2])
  try {
    const files = readdirSync(folder)
      .filter((file) => file.endsWith('.json'))
      .sort()
    const passed: string[] = []
    for (const file of files) {
      const event = file.replace(/\.json$/, '')
      const { fixtures }: { fixtures: FixtureRequest[] } = JSON.parse(readFileSync(join(folder, file), 'utf8'))
      const failure = await failureOf(event, fixtures)
      if (failure === undefined) passed.push(event)
      else console.log(`- ${event}: ${failure}`)
    }
    console.log(`passed: ${passed.join(', ')}`)
    console.log(`${passed.length} of ${files.length} fixtures of the Stripe CLI pass`)
  } finally {
    remove()
  }
}

runTriggers().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
})
