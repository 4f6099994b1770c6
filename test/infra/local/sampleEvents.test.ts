import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { apiGatewayAnswer } from '../../../infra/local/http/apiGatewayAnswer.ts'
import { invokeFunction } from '../../../infra/local/invokeFunction.ts'
import { type LocalClient, localClient } from '../../../infra/local/localClient.ts'
import { defaultSampleEvent, fillSampleEvent, listSampleEvents } from '../../../infra/local/samples/sampleEvent.ts'
import { type LocalStack, startStack } from '../../../infra/local/stack.ts'
import { type FunctionRow, manifest } from '../../../infra/manifest.ts'
import { spawnScript } from './support/childStack.ts'

const rows: readonly FunctionRow[] = manifest
const files = await Promise.all(rows.map(async (row) => ({ row, events: await listSampleEvents(row.name) })))
/** Those of documented operations are sent by `test/infra/openapi/examples.test.ts`, which looks at their answers as well. */
const cases = files
  .filter(({ row }) => row.operationId === undefined)
  .flatMap(({ row, events }) => events.map((file) => ({ row, file })))

let stack: LocalStack
let client: LocalClient

beforeAll(async () => {
  stack = await startStack({ quiet: true })
  client = localClient(stack.info)
})

afterAll(async () => {
  await stack?.close()
})

describe('A sample event', () => {
  it.each(cases)('$file is answered with the status that it expects', async ({ row, file }) => {
    const { event, expectedStatus } = await fillSampleEvent(file, client)
    const { status, body } = apiGatewayAnswer(await invokeFunction(row, event))
    expect({ status, body: body.toString() }).toEqual({ status: expectedStatus, body: expect.any(String) })
  })

  it('exists for every function', () => {
    expect(files.filter(({ events }) => events.length === 0)).toEqual([])
  })
})

describe('npm run invoke', () => {
  it('runs the event of the manifest’s row where none is named, and prints the answer', async () => {
    const child = spawnScript('local/invoke.ts', ['users-me', '--base', stack.info.base_url])
    expect(await child.exited).toBe(0)
    expect(child.output()).toContain(`events/${defaultSampleEvent('users-me')}`)
    expect(child.output()).toContain('200 as expected')
    expect(child.output()).toContain(stack.info.demo.owner.email)
  })

  it('runs the event given', async () => {
    const child = spawnScript('local/invoke.ts', [
      'users-me',
      'events/users-me.no-token.json',
      '--base',
      stack.info.base_url,
    ])
    expect(await child.exited).toBe(0)
    expect(child.output()).toContain('401 as expected')
  })

  it('exits with 1 for an unknown function and lists those that there are, each with what it does', async () => {
    const unknown = spawnScript('local/invoke.ts', ['nothing'])
    expect(await unknown.exited).toBe(1)
    const lines = unknown.output().split('\n')
    expect(lines[0]).toBe('There is no function nothing.')
    expect(lines[1]).toMatch(/^Usage: npm run invoke/)
    for (const { name, summary } of rows)
      expect(lines.some((line) => line.startsWith(`  ${name} `) && line.endsWith(`  ${summary}`))).toBe(true)
  })

  it('exits with 1 for an unknown event and lists those of the function', async () => {
    const unknown = spawnScript('local/invoke.ts', ['users-me', 'events/users-me.nothing.json'])
    expect(await unknown.exited).toBe(1)
    expect(unknown.output()).toBe(
      'There is no events/users-me.nothing.json. Those of users-me: users-me.no-token.json, users-me.signed-in.json\n',
    )
  })

  it('exits with 1 and a reason where no stack answers', async () => {
    const noStack = spawnScript('local/invoke.ts', ['users-me', '--base', 'http://127.0.0.1:9'])
    expect(await noStack.exited).toBe(1)
    expect(noStack.output()).toContain('start one with npm start')
  })
})

describe('npm run demo', () => {
  it('gets the expected answer to every request of the story', async () => {
    const child = spawnScript('local/demo.ts', ['--base', stack.info.base_url])
    expect({ code: await child.exited, output: child.output() }).toEqual({
      code: 0,
      output: expect.stringContaining('Every answer was as expected.'),
    })
  })
})
