import { describe, expect, it } from '@jest/globals'
import * as z from 'zod'
import { stageWith, synthesizeStage } from './synthesized.ts'
import { type ReadTemplate, reference } from './templates.ts'

const restoredTables = { billing: 'prod-billing-restored' }
const { service, observability } = synthesizeStage(stageWith({ maintenance: true, restoredTables }, 'prod'))
const open = synthesizeStage(stageWith({}, 'prod'))

const writes = ['dynamodb:PutItem', 'dynamodb:UpdateItem', 'dynamodb:DeleteItem']

/** The functions whose roles may write the table, by what the roles say and not by the manifest. */
function writersOf({ lambdas, statements }: ReadTemplate, table: string): string[] {
  const isWriter = (role: string) =>
    statements(role).some(
      ({ Action, Resource }) =>
        Action.some((action) => writes.includes(action)) && Resource.some((resource) => resource.includes(table)),
    )
  return lambdas.flatMap(({ FunctionName = '', Role }) => (isWriter(Role) ? [FunctionName] : [])).toSorted()
}

const stoppedOf = ({ lambdas }: ReadTemplate) =>
  lambdas
    .flatMap(({ FunctionName = '', ReservedConcurrentExecutions }) =>
      ReservedConcurrentExecutions === 0 ? [FunctionName] : [],
    )
    .toSorted()

const update = z.object({ BeforeAllowTrafficHook: z.string().optional() })
const resources = z.record(
  z.string(),
  z.looseObject({
    Type: z.string(),
    Properties: z.looseObject({ FunctionName: reference.optional() }).optional(),
    UpdatePolicy: z.object({ CodeDeployLambdaAliasUpdate: update }).optional(),
  }),
)

/** The functions whose new versions are called before they get traffic. */
const checkedOf = ({ json, lambdas }: ReadTemplate) =>
  Object.values(resources.parse(json.Resources))
    .filter(({ UpdatePolicy }) => UpdatePolicy?.CodeDeployLambdaAliasUpdate.BeforeAllowTrafficHook !== undefined)
    .map(({ Properties }) => lambdas.find(({ id }) => id === Properties?.FunctionName)?.FunctionName ?? '')
    .toSorted()

const rules = (template: ReadTemplate) =>
  template.resources('AWS::Events::Rule', z.object({ State: z.string() })).map(({ Properties }) => Properties.State)

const releases = (template: ReadTemplate) =>
  template
    .resources(
      'AWS::CodeDeploy::DeploymentGroup',
      z.object({
        DeploymentConfigName: z.string(),
        AlarmConfiguration: z.object({ Alarms: z.array(z.unknown()).default([]), Enabled: z.boolean() }).optional(),
      }),
    )
    .map(({ Properties }) => Properties)

describe('A stage in maintenance', () => {
  it('runs nothing that may write the table billing, the webhook and the schedules among it', () => {
    const stopped = stoppedOf(service)
    expect(stopped).toEqual(writersOf(service, restoredTables.billing))
    expect(stopped).toEqual(
      expect.arrayContaining([
        'prod-billing-checkout',
        'prod-billing-reconcile',
        'prod-billing-sweep',
        'prod-organizations-create',
        'prod-stripe-webhook',
      ]),
    )
  })

  it('runs everything that reads, as before', () => {
    for (const name of [
      'billing-entitlements',
      'billing-subscriptions',
      'billing-invoices',
      'users-me',
      'oauth-token',
    ]) {
      expect(service.lambda(name).ReservedConcurrentExecutions).toBe(
        open.service.lambda(name).ReservedConcurrentExecutions,
      )
    }
  })

  it('has its schedules disabled: runs of a stopped function would all become dead letters', () => {
    expect(new Set(rules(service))).toEqual(new Set(['DISABLED']))
    expect(new Set(rules(open.service))).toEqual(new Set(['ENABLED']))
  })

  it('releases at once and heeds no alarm: that stopped functions make the API answer 5xx is no fault of a release', () => {
    const [one, ...others] = releases(service)
    expect(new Set([one, ...others].map((group) => JSON.stringify(group))).size).toBe(1)
    expect(one?.DeploymentConfigName).toBe('CodeDeployDefault.LambdaAllAtOnce')
    expect(one?.AlarmConfiguration?.Enabled ?? false).toBe(false)
    expect(releases(open.service).every(({ AlarmConfiguration }) => AlarmConfiguration?.Enabled)).toBe(true)
  })

  it('checks new versions of what runs, and of nothing that is stopped: Lambda would refuse the check’s call', () => {
    const stopped = stoppedOf(service)
    expect(checkedOf(service)).toEqual(checkedOf(open.service).filter((name) => !stopped.includes(name)))
  })

  it('wakes no one because what was stopped does not run', () => {
    const alarm = z.object({ AlarmName: z.string(), ActionsEnabled: z.boolean().default(true) })
    const silent = observability
      .resources('AWS::CloudWatch::Alarm', alarm)
      .flatMap(({ Properties }) => (Properties.ActionsEnabled ? [] : [Properties.AlarmName]))
    expect(silent.toSorted()).toEqual([
      'prod-console-DeletionsNotRunning',
      'prod-console-DeliveriesNotRunning',
      'prod-console-DomainsNotChecked',
      'prod-console-MoneyMailsNotRunning',
      'prod-console-ReconcileNotRunning',
      'prod-console-RelayNotRunning',
      'prod-console-RemovalsNotRunning',
      'prod-console-SweepNotRunning',
    ])
  })

  it('uses the restored table, and is the exception: a stage that is open stops nothing', () => {
    expect(reference.parse(service.lambda('billing-entitlements').Environment?.Variables?.BILLING_TABLE)).toBe(
      restoredTables.billing,
    )
    expect(stoppedOf(open.service)).toEqual([])
  })
})
