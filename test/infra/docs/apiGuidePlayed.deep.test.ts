import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, it } from '@jest/globals'
import * as z from 'zod'
import { openLocalStack } from '../../support/openLocalStack.ts'

const MARK = '--- next ---'

function sectionOf(heading: string): string {
  const guide = readFileSync(new URL('../../../functions/README.md', import.meta.url), 'utf8')
  return guide.split(`## ${heading}\n`)[1]?.split('\n## ')[0] ?? ''
}

/** The commands of one section of the guide, each with the answer that it shows. */
function walk(heading: string): { commands: string; answer: unknown }[] {
  const steps = sectionOf(heading).matchAll(/```sh\n([\s\S]*?)```\s+```json\n([\s\S]*?)```/g)
  return [...steps].map(([, commands = '', answer = '']) => ({ commands, answer: JSON.parse(answer) }))
}

/** What a reader compares: every name and type, and the words that do not change from run to run. */
function shape(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shape)
  const object = z.record(z.string(), z.unknown()).safeParse(value).data
  if (object) return Object.fromEntries(Object.entries(object).map(([name, member]) => [name, shape(member)]))
  // Not a JWT, a time, a UUID, a secret, nor what the guide cuts off.
  const constant =
    typeof value !== 'string' ||
    (value.length < 70 && !/_secret_|\d{4}-\d\d-\d\dT|^eyJ|^[\da-f-]{36}$|^[\w-]{43}$|\.\.\.$/.test(value))
  return constant ? value : typeof value
}

const stack = await openLocalStack({ schedules: true })

describe.each([
  ['A purchase, by hand', 7],
  ['Call it from a server', 3],
])('The API guide’s section “%s”', (heading, count) => {
  const steps = walk(heading)
  let answers: string[] = []

  beforeAll(async () => {
    const script = steps.map(({ commands }) => `${commands}\necho; echo '${MARK}'`).join('\n')
    const env = { ...process.env, BASE: stack.info.base_url }
    const { stdout } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', script], { env, timeout: 100_000 })
    answers = stdout.split(`${MARK}\n`)
  })

  it('has its steps', () => {
    expect(steps).toHaveLength(count)
  })

  it.each(steps.map((step, index) => [index + 1, step] as const))(
    'answers step %i as shown',
    (position, { answer }) => {
      const given: unknown = JSON.parse(answers[position - 1] ?? '')
      expect(shape(given)).toEqual(shape(answer))
    },
  )
})
