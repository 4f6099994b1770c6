import type { StageSettings } from '../../data/stages.ts'
import { stackNames } from '../stacks/stackNames.ts'
import { fillSecret } from './deployedStage.ts'

/** A command: the program, found on the PATH, and its arguments. */
export type Command = readonly [program: string, ...args: string[]]

interface DeploymentOptions {
  /** Someone has read and approved the plan (`planCommands`): the CDK does not ask again. */
  readonly approved: boolean
  /** Use the templates, bundles and console files that a machine without credentials has prepared. */
  readonly prepared: boolean
}

// By its file: if a deployment was prepared elsewhere, the package is there without the link to its command.
const cdk = (...args: string[]): Command => ['node', 'node_modules/aws-cdk/bin/cdk', ...args]

const preflight = ({ name }: StageSettings): Command => ['node', 'infra/aws/deploy/preflight.ts', '--stage', name]

/** Synthesizes all stacks. It stops when a rule pack has a finding. */
function synthesis({ name }: StageSettings, prepared: boolean): Command[] {
  return prepared ? [] : [['node', 'infra/aws/app.ts', '--stage', name]]
}

/**
 * The commands that deploy a stage, in order: preflight, synthesis, then each stack from the checked templates, then the console's files if the
 * stage hosts it; last, old versions of functions are deleted. After the data stack the deployment stops if its secrets have no values. Unless `approved`, the CDK asks before it widens a
 * permission.
 */
export function deploymentCommands(stage: StageSettings, { approved, prepared }: DeploymentOptions): Command[] {
  const approval = ['--require-approval', approved ? 'never' : 'broadening']
  const deploy = (stack: string, ...options: string[]) =>
    cdk('deploy', stack, '--app', 'cdk.out', '--exclusively', ...options, ...approval)
  // A restored table exists before CloudFormation knows it.
  const takeOver = Object.keys(stage.restoredTables ?? {}).length > 0 ? ['--import-existing-resources'] : []
  const publish: Command[] = [
    ...(prepared ? [] : ([['npm', 'run', 'build:console']] as const)),
    ['node', 'infra/aws/deploy/consolePublish.ts', '--stage', stage.name],
  ]
  const { data, ...others } = stackNames(stage)
  return [
    preflight(stage),
    ...synthesis(stage, prepared),
    deploy(data, ...takeOver),
    ['node', 'infra/aws/deploy/requireSecrets.ts', '--stage', stage.name],
    ...Object.values(others).map((stack) => deploy(stack)),
    ...(stage.console ? publish : []),
    ['node', 'infra/aws/deploy/prune.ts', '--stage', stage.name],
  ]
}

/**
 * The commands that print what a deployment would change, permissions first, and change nothing. They compare templates: a change set would
 * know better if a resource is replaced, but needs the role that deploys.
 */
export function planCommands(stage: StageSettings, prepared: boolean): Command[] {
  const compare = ['--app', 'cdk.out', '--exclusively', '--method', 'template', '--no-color']
  return [preflight(stage), ...synthesis(stage, prepared), cdk('diff', ...Object.values(stackNames(stage)), ...compare)]
}

/**
 * Refuses settings that can be synthesized but not deployed.
 * @throws Error if mail comes from a domain reserved for examples (RFC 2606), because SES would wait for its DNS forever; if pages lead to an
 *   application at such a domain; if production's alarms notify no address
 */
export function requireDeployable({ name, mail, branding, alarmEmail }: StageSettings): void {
  if (name === 'prod' && alarmEmail === undefined)
    throw new Error(`Alarms of ${name} notify no address: set alarmEmail in infra/data/stages.ts`)
  if (isPlaceholder(mail.domain))
    throw new Error(`${name} sends mail from ${mail.domain}, a placeholder: set mail in infra/data/stages.ts`)
  const { hostname } = new URL(branding.applicationUrl)
  if (isPlaceholder(hostname))
    throw new Error(`${name} leads its users to ${hostname}, a placeholder: set branding in infra/data/stages.ts`)
}

/**
 * Refuses a deployment that cannot ask. Otherwise the CDK would fail when a stack widens a permission, after it deployed the stacks before it.
 * @throws Error if nothing was approved and there is no terminal
 */
export function requireApproval(isApproved: boolean, hasTerminal: boolean): void {
  if (isApproved || hasTerminal) return
  throw new Error('There is no terminal to ask on: have what `--plan` prints read, then deploy with `--approved`')
}

function isPlaceholder(domain: string): boolean {
  return /(^|\.)example(\.(com|net|org))?$/.test(domain)
}

/** The manual steps after a stage's first deployment. */
export function nextSteps(stage: StageSettings): string {
  const { data, api, billing, observability, consoleWeb } = stackNames(stage)
  const subscribe = stage.alarmEmail
    ? `confirm the subscription that was mailed to ${stage.alarmEmail}`
    : `subscribe the people on duty to <AlarmTopic of ${observability}>`
  return [
    'Once, after the first deployment:',
    `1. Register <WebhookUrl of ${billing}> at Stripe, API version 2026-10-28.endive (on a test account:`,
    '   npm run stripe:setup -- --webhook-url <WebhookUrl>), and store its signing secret before the first event is sent:',
    `   ${fillSecret(`<stripeWebhookSecretsArn of ${data}>`)}`,
    `2. Alarms: ${subscribe}.`,
    `3. Mail: put <MailDns1> to <MailDns3> of ${data} into DNS, and ask AWS to take SES out of its sandbox`,
    '   (infra/runbook/mail.md). Until then what sends mail answers 503.',
    ...(stage.domain ? [`4. DNS: an alias record from ${stage.domain.name} to <DnsTarget of ${api}>.`] : []),
    ...(stage.console && consoleWeb ? consoleSteps(stage.domain ? 5 : 4, stage.console, consoleWeb, stage.name) : []),
    'infra/README.md lists the pages of the runbook: rollback, rotation, restoring, and what to do about each alarm.',
    '',
  ].join('\n')
}

function consoleSteps(
  number: number,
  { clientId, domain }: NonNullable<StageSettings['console']>,
  stack: string,
  name: string,
): string[] {
  return [
    `${number}. Register the console:`,
    `   npm run clients -- create Console --id ${clientId} --public --first-party --aws --stage ${name}`,
    `   --redirect-uri <ConsoleRedirectUri of ${stack}> --post-logout-redirect-uri <ConsoleUrl of ${stack}>/`,
    ...(domain ? [`   and an alias record from ${domain.name} to <ConsoleDnsTarget of ${stack}>.`] : []),
  ]
}
