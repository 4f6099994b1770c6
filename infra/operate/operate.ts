import { parseArgs } from 'node:util'
import { refuseNpmOptions } from '../refuseNpmOptions.ts'
import { runProgram } from '../runProgram.ts'
import { changeScopes, onAccount, removeFactors } from './accountCommands.ts'
import { backfill, backfillInvitations } from './backfillCommands.ts'
import { changeOptions, isDryRun, type Run } from './command.ts'
import { rebind, resetTotp } from './keyCommands.ts'
import { pending } from './pendingCommand.ts'
import { providers } from './providerCommand.ts'
import { show } from './showCommand.ts'
import { adopt, gateway, release } from './slotCommands.ts'
import { connect, targetOptions } from './target.ts'
import { throttle } from './throttleCommand.ts'
import { webhooks } from './webhookCommand.ts'
import { writeOffInvoices } from './writeOffCommand.ts'

const usage = `npm run operate -- <command> [--dry-run] [--port N | --base URL]
npm run operate -- <command> --aws --stage NAME [--apply]

  show ID|EMAIL                                prints an organization or a user: names and addresses, no secrets
  pending                                      prints every purchase under way, and what is known of it
  suspend USER                                 switches a user off, and ends every session and token
  restore USER                                 switches a user on again, who then has to sign in; takes back a deletion that was asked for
  sign-out USER                                ends every session and token of a user
  remove-factors USER [--now]                  removes the second factors of a user a day later, or at once, and mails the user
  scopes CLIENT SCOPES                         changes the scopes that a client may be granted: billing:read,members:read
  release ORGANIZATION PRODUCT                 frees a slot whose subscription Stripe does not know
  adopt ORGANIZATION PRODUCT SUBSCRIPTION      makes a slot hold a live subscription of its organization's customer, and binds the
                                               subscription's customer to an organization that has none, as after a restore
  gateway ORGANIZATION invoice --days N        sends an organization invoices, due N days after their date
  gateway ORGANIZATION card                    charges its card
  throttle ORGANIZATION --requests-per-minute N [--for 1h]
                                               limits all requests to an organization together for some time: the others get 429
  throttle ORGANIZATION --lift                 ends that
  webhooks list                                prints the endpoints that hear the events of every organization
  webhooks add URL [--type TYPE ...]           adds one, and prints its secret once
  webhooks remove|rotate|test|enable ID        removes one, gives it a new secret beside the old secret for a day, sends it a test, enables it
  providers list                               prints the OpenID providers that the sign-in pages offer
  providers add ID --name NAME --issuer URL --client-id ID --client-secret-file FILE [--trust-acr]
                                               adds one; the file keeps the secret out of the shell's history
  providers remove ID                          removes one; who signed in by it keeps the account
  write-off ORGANIZATION                       marks the unpaid invoices that were sent to it uncollectible
  rebind-customers [ORGANIZATION]              stores customers' ids anew that the customer key does not decrypt: of one organization, or of all
  reset-totp [USER] [--before TIME]            removes every authenticator app set up before TIME, or before now, after a loss of the customer
                                               key: of one user, or of all, and mails them
  backfill-customers                           gives customers the organization's name and an owner's address, if they lack them
  backfill-invitations                         lists older invitations by their address, to be erased with it

Against a running local stack; with --aws --stage NAME against that stage, as its operator role (infra/README.md, Commands). There only --apply
changes anything. The exit code is 2 if the command is refused.`

const commands: Readonly<Record<string, { takes: number; mayTake?: number; run: Run }>> = {
  show: { takes: 1, run: show },
  pending: { takes: 0, run: pending },
  suspend: { takes: 1, run: onAccount('suspend') },
  restore: { takes: 1, run: onAccount('restore') },
  'sign-out': { takes: 1, run: onAccount('sign-out') },
  'remove-factors': { takes: 1, run: removeFactors },
  scopes: { takes: 2, run: changeScopes },
  release: { takes: 2, run: release },
  adopt: { takes: 3, run: adopt },
  gateway: { takes: 2, run: gateway },
  throttle: { takes: 1, run: throttle },
  webhooks: { takes: 1, mayTake: 2, run: webhooks },
  providers: { takes: 1, mayTake: 2, run: providers },
  'write-off': { takes: 1, run: writeOffInvoices },
  'rebind-customers': { takes: 0, mayTake: 1, run: rebind },
  'reset-totp': { takes: 0, mayTake: 1, run: resetTotp },
  'backfill-customers': { takes: 0, run: backfill },
  'backfill-invitations': { takes: 0, run: backfillInvitations },
}

function takes({ takes: least, mayTake = least }: { takes: number; mayTake?: number }, count: number): boolean {
  return count >= least && count <= mayTake
}

/** Options of a single command. */
const ownOptions = {
  days: 'gateway',
  now: 'remove-factors',
  'requests-per-minute': 'throttle',
  for: 'throttle',
  before: 'reset-totp',
  lift: 'throttle',
  type: 'webhooks',
  name: 'providers',
  issuer: 'providers',
  'client-id': 'providers',
  'client-secret-file': 'providers',
  'trust-acr': 'providers',
} as const

/** `npm run operate`: carries out an operator's decision when no rule can decide, and logs it. */
async function main(): Promise<number> {
  refuseNpmOptions('npm run operate', changeOptions)
  const { values, positionals } = parseArgs({
    args: process.argv.slice(2),
    allowPositionals: true,
    options: {
      'dry-run': { type: 'boolean', default: false },
      ...targetOptions,
      apply: { type: 'boolean', default: false },
      now: { type: 'boolean', default: false },
      days: { type: 'string' },
      'requests-per-minute': { type: 'string' },
      for: { type: 'string' },
      before: { type: 'string' },
      lift: { type: 'boolean', default: false },
      type: { type: 'string', multiple: true },
      name: { type: 'string' },
      issuer: { type: 'string' },
      'client-id': { type: 'string' },
      'client-secret-file': { type: 'string' },
      'trust-acr': { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) {
    console.log(usage)
    return 0
  }
  const [name = '', ...args] = positionals
  for (const [option, owner] of Object.entries(ownOptions))
    if (values[option as keyof typeof ownOptions] && name !== owner) throw new Error(`--${option} is of ${owner} alone`)
  const command = commands[name]
  if (command === undefined || !takes(command, args.length)) throw new Error(usage)
  const dryRun = isDryRun(values)
  const code = await command.run(args, {
    dryRun,
    days: values.days,
    now: values.now,
    requestsPerMinute: values['requests-per-minute'],
    for: values.for,
    before: values.before,
    lift: values.lift,
    types: values.type ?? [],
    provider: {
      name: values.name,
      issuer: values.issuer,
      clientId: values['client-id'],
      secretFile: values['client-secret-file'],
      trustAcr: values['trust-acr'],
    },
    connect: () => connect(values),
  })
  if (dryRun && values.aws) console.log('Nothing was changed: --apply does it.')
  return code
}

runProgram(main)
