import type { StageSettings } from '../data/stages.ts'
import { stackNames } from './consoleStacks.ts'

/** A command: the program, found on the PATH of npm's scripts, and its arguments. */
export type Command = readonly [program: string, ...args: string[]]

/**
 * The commands that deploy a stage, in their order: checks and templates first, then each stack from what was checked. The CDK asks
 * before anything that widens a permission.
 */
export function deploymentCommands(stage: StageSettings): Command[] {
  const { data, service, observability } = stackNames(stage)
  const deploy = (stack: string): Command => [
    ...(['cdk', 'deploy', stack, '--app', 'cdk.out', '--exclusively'] as const),
    ...['--require-approval', 'broadening'],
  ]
  return [['node', 'infra/aws/app.ts', '--stage', stage.name], ...[data, service, observability].map(deploy)]
}

/** What is left to do by hand after a first deployment; later ones need none of it. */
export function nextSteps(stage: StageSettings): string {
  const { data, service, observability } = stackNames(stage)
  // Without the newline that typing it into a file would leave: Stripe refuses a key that ends in one.
  const fill = (output: string) =>
    `read -rs S; printf %s "$S" | aws secretsmanager put-secret-value --secret-id <${output}> --secret-string file:///dev/stdin`
  const subscribe = stage.alarmEmail
    ? `confirm the subscription that was mailed to ${stage.alarmEmail}`
    : `subscribe whoever is on duty to <AlarmTopic of ${observability}>`
  return [
    `${stage.name} is deployed. Once, after the first deployment:`,
    '1. Stripe’s secret key, pasted:',
    `   ${fill(`stripeSecretKeyArn of ${data}`)}`,
    `2. Register <WebhookUrl of ${service}> at Stripe, API version 2026-10-28.endive (on a test account:`,
    '   npm run stripe:setup -- --webhook-url <WebhookUrl>), and its signing secret:',
    `   ${fill(`stripeWebhookSecretsArn of ${data}`)}`,
    `3. Alarms: ${subscribe}.`,
    ...(stage.domain ? [`4. DNS: an alias record from ${stage.domain.name} to <DnsTarget of ${service}>.`] : []),
    'infra/README.md has the rest: rollback, rotation, restoring, and what to do about each alarm.',
    '',
  ].join('\n')
}
