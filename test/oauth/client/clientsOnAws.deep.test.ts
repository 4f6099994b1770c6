import { describe, expect, it } from '@jest/globals'
import { spawnScript } from '../../infra/local/support/childStack.ts'
import { deployedStage } from '../../support/aws/deployedStage.ts'
import { hostedCommands } from '../../support/hostedCommands.ts'
import { openLocalStack } from '../../support/openLocalStack.ts'

const stack = await openLocalStack()

const hosted = hostedCommands()

/** Runs `npm run clients -- ...`, with variables of its own in a process of its own. */
async function run(args: string[], where = ['--base', stack.info.base_url], env?: Record<string, string>) {
  if (where.includes('--base')) return hosted({ script: 'operate/clients.ts', args: [...args, ...where] })
  const child = spawnScript('operate/clients.ts', [...args, ...where], env)
  return { code: await child.exited, output: child.output() }
}

describe('npm run clients', () => {
  /** `--aws` with the stage's tables, which are the local stack's. */
  async function runOnStage(name: string, args: string[]) {
    const { tables, dynamodb_endpoint } = stack.info
    const stage = await deployedStage({
      name,
      outputs: {
        accountsTable: tables.accounts,
        billingTable: tables.billing,
        auditLogTable: tables.audit_log,
        eventsTable: tables.events,
        customerKeyId: 'key',
        stripeSecretKeyArn: 'arn:aws:secretsmanager:us-east-1:111122223333:secret:StripeSecretKey',
      },
    })
    try {
      const env = { ...stage.environment, AWS_ENDPOINT_URL_DYNAMODB: dynamodb_endpoint }
      return await run(args, ['--aws', '--stage', name], env)
    } finally {
      await stage.close()
    }
  }

  it('uses the table of a deployed stage, as its operator', async () => {
    const { code, output } = await runOnStage('prod', ['list'])
    expect({ code, output }).toEqual({ code: 0, output: expect.stringContaining('demo-console') })
    expect(output).toContain('As prod-operator-us-east-1 (ada@example.com)')
    expect((await run(['list'], ['--aws'])).output).toContain('--aws and --stage NAME go together')
  })

  it('registers addresses of the own machine with --aws for a stage that takes them only', async () => {
    const create = ['create', 'Page', '--redirect-uri', 'http://localhost:5173/']
    expect((await runOnStage('prod', create)).code).toBe(1)
    expect((await run(create, ['--aws', '--stage', 'none'])).code).toBe(1)
    const { code, output } = await runOnStage('dev', [...create, '--id', 'page'])
    expect({ code, output }).toEqual({ code: 0, output: expect.stringContaining('http://localhost:5173/') })
    await run(['disable', 'page'])
  })
})
