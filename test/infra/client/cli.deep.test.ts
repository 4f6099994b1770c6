import { describe, expect, it } from '@jest/globals'
import { demoUsers } from '../../../infra/data/demo.ts'
import { Visitor } from '../../oauth/authorize/visitor.ts'
import { openLocalStack } from '../../support/openLocalStack.ts'
import { spawnScript } from '../local/support/childStack.ts'

const stack = await openLocalStack()

/** Runs `npm run cli -- ...`, and answers the code that it shows as the demo's owner. */
async function runCli(args: readonly string[], answer: 'allow' | 'deny') {
  const cli = spawnScript('client/example/cli.ts', ['--base', stack.info.base_url, ...args])
  while (!/enter [A-Z-]{9}/.test(cli.output())) await new Promise((resolve) => setTimeout(resolve, 50))
  const [, page = '', code = ''] = /Open (\S+) and enter ([A-Z-]{9})/.exec(cli.output()) ?? []
  const visitor = new Visitor(new URL(page).origin, new URL(page).pathname)
  const { email, password } = demoUsers.owner
  await visitor.submit('', await visitor.get(''), 'login', { fields: { email, password } })
  const asked = await visitor.submit('', await visitor.get(''), 'code', { fields: { user_code: code } })
  await visitor.submit('', asked, answer)
  return { code: await cli.exited, output: cli.output() }
}

describe('npm run cli', () => {
  it('signs in, lists subscriptions, previews, and buys or says why not', async () => {
    const { code, output } = await runCli(['base_ota', '--yes'], 'allow')
    expect({ code, output }).toEqual({ code: 0, output: expect.stringContaining('Signed in as owner@example.com') })
    expect(output).toContain('no subscriptions')
    expect(output).toMatch(/base_ota .*\d/)
    expect(output).toMatch(/^(Bought|Not bought): base_ota/m)
  })

  it('ends with 1 if the user denies it, and says which option does not exist', async () => {
    const { code, output } = await runCli([], 'deny')
    expect([code, output]).toEqual([1, expect.stringContaining('access_denied')])
    const help = spawnScript('client/example/cli.ts', ['--help'])
    expect([await help.exited, help.output()]).toEqual([0, expect.stringContaining('npm run cli --')])
  })
})
