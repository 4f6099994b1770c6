import { beforeAll, describe, expect, it } from '@jest/globals'
import { spawnScript } from '../../infra/local/support/childStack.ts'
import { commandOn } from '../../support/hostedCommands.ts'
import { useCleanStack } from '../useCleanStack.ts'
import { boughtOn } from './boughtOn.ts'

const bed = useCleanStack()
beforeAll(() => bed.stack.emulator.allowSeveralLive())

const { bought } = boughtOn(bed)

describe('npm run reconcile', () => {
  const command = commandOn(bed, 'reconcile')

  it('stops where npm kept --dry-run for itself, and repairs nothing', async () => {
    const { stack } = bed
    const { organizationId, subscriptionId } = await bought()
    await stack.emulator.webhooks('hold')
    await stack.stripe.subscriptions.cancel(subscriptionId)
    const base = ['--base', stack.client.info.base_url]
    const stopped = spawnScript('operate/reconcile.ts', base, { npm_config_dry_run: 'true' })
    expect(await stopped.exited).toBe(1)
    expect(stopped.output()).toContain('npm run reconcile -- --dry-run')
    expect(await stack.slot(organizationId)).toMatchObject({ state: 'active' })
    await stack.emulator.webhooks('deliver')
    await stack.emulator.flush()
  })

  it('prints the repairs with --dry-run, and makes them without', async () => {
    const { stack } = bed
    const { organizationId, subscriptionId } = await bought()
    await stack.stripe.subscriptions.cancel(subscriptionId)
    const row = new RegExp(`${organizationId}.*${subscriptionId}.*'active, n=1'.*'free'`)
    expect(await command('--dry-run')).toEqual({ code: 2, output: expect.stringMatching(row) })
    expect(await stack.slot(organizationId)).toMatchObject({ state: 'active' })
    expect(await command()).toMatchObject({ code: 0 })
    expect(await stack.slot(organizationId)).toMatchObject({ state: 'canceled' })
    expect(await command()).toEqual({ code: 0, output: expect.stringContaining('no drift') })
  })
})
