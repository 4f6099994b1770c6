import { describe, expect, it } from '@jest/globals'
import { apiGatewayAnswer } from '../../../infra/local/http/apiGatewayAnswer.ts'
import { invokeFunction } from '../../../infra/local/invokeFunction.ts'
import { defaultSample } from '../../../infra/local/samples/readSamples.ts'
import { type FunctionRow, manifest } from '../../../infra/manifest.ts'
import { hostedCommands } from '../../support/hostedCommands.ts'
import { openLocalStack } from '../../support/openLocalStack.ts'
import { spawnScript } from './support/childStack.ts'

const rows: readonly FunctionRow[] = manifest
const stack = await openLocalStack({ schedules: true, events: true })
const hosted = hostedCommands()

describe('npm run invoke', () => {
  const run = (...args: string[]) => hosted({ script: 'local/invoke.ts', args })

  it('runs the sample that the manifest’s row serves if you name none, and prints the answer', async () => {
    const { code, output } = await run('users-me', '--base', stack.info.base_url)
    expect(code).toBe(0)
    expect(output).toContain(`users-me <- ${defaultSample('users-me')}`)
    expect(output).toContain('200 as expected')
    expect(output).toContain(stack.info.demo.owner.email)
  })

  it('runs the sample given', async () => {
    const given = await run('users-me', 'no-token', '--base', stack.info.base_url)
    expect(given).toEqual({ code: 0, output: expect.stringContaining('401 as expected') })
  })

  it('exits with 1 for an unknown function and lists those that there are, each with what it does', async () => {
    const { code, output } = await run('nothing')
    expect(code).toBe(1)
    const lines = output.split('\n')
    expect(lines[0]).toBe('There is no function nothing.')
    expect(lines[1]).toMatch(/^Usage: npm run invoke/)
    for (const { name, summary } of rows)
      expect(lines.some((line) => line.startsWith(`  ${name} `) && line.endsWith(`  ${summary}`))).toBe(true)
  })

  it.each([
    ['checkout', 'billing-checkout'],
    ['biling-checkout', 'billing-checkout'],
    ['user-me', 'users-me'],
    ['Setup', 'billing-setup-intent'],
  ])('guesses what %s stands for: %s', async (given, meant) => {
    const [first = ''] = (await run(given)).output.split('\n')
    expect(first).toMatch(/^There is no function .*\. Did you mean .*\?$/)
    expect(first.split(/[ ?]/)).toContain(meant)
  })

  it('with --print prints the event filled in, for the console of AWS, and calls nothing', async () => {
    const { code, output } = await run('billing-cancel', '--print', '--base', stack.info.base_url)
    expect(code).toBe(0)
    const event = JSON.parse(output)
    expect(event).toMatchObject({
      version: '2.0',
      routeKey: 'POST /api/billing/cancel',
      headers: { authorization: expect.stringMatching(/^Bearer ey/) },
      requestContext: { http: { method: 'POST', path: '/api/billing/cancel' } },
    })
    expect(output).not.toContain('{{')
    const row = rows.find(({ name }) => name === 'billing-cancel')
    const { status } = apiGatewayAnswer(row && (await invokeFunction(row, event)))
    expect(status).toBe(200)
  })

  it('prints the function’s log before its answer', async () => {
    const { output } = await run('users-me', 'no-token', '--base', stack.info.base_url)
    const lines = output.split('\n')
    const logged = lines.findIndex((line) => line.startsWith('{"level":"INFO","message":"Request refused"'))
    expect(logged).toBeGreaterThan(0)
    expect(lines.findIndex((line) => line.startsWith('401 as expected'))).toBeGreaterThan(logged)
  })

  it('answers within three seconds of the processor', async () => {
    const child = spawnScript('local/invoke.ts', ['users-me', '--base', stack.info.base_url])
    let used = 0
    const watching = setInterval(() => {
      used = Math.max(used, child.cpuSeconds())
    }, 50)
    expect(await child.exited).toBe(0)
    clearInterval(watching)
    expect(used).toBeLessThan(3)
  })

  it('exits with 1 for an unknown sample and lists those of the function', async () => {
    const output = 'users-me has no sample nothing. It has: no-token, signed-in\n'
    expect(await run('users-me', 'nothing')).toEqual({ code: 1, output })
  })

  it('exits with 1 and a reason where no stack answers', async () => {
    const refused = await run('users-me', '--base', 'http://127.0.0.1:9')
    expect(refused).toEqual({
      code: 1,
      output: expect.stringContaining('start one with npm start, or name its port: -- --port N'),
    })
  })
})

describe('npm run demo', () => {
  it('refuses a port at which no stack answers', async () => {
    const child = spawnScript('local/demo.ts', [], { PORT: '9' })
    expect(await child.exited).toBe(1)
    expect(child.output()).toContain('no local stack answers at http://localhost:9')
  })

  it('gets the expected answer to every request of the story, and says what it left', async () => {
    const played = await hosted({ script: 'local/demo.ts', args: ['--base', stack.info.base_url] })
    expect(played).toEqual({
      code: 0,
      output: expect.stringMatching(
        /Every answer was as expected\.\n.*Harbour Robotics.*32 days ahead.*\/_local\/clock\/reset\n$/s,
      ),
    })
  })
})
