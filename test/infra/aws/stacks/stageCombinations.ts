import { type StageSettings, stageSettings, stages } from '../../../../infra/data/stages.ts'
import { coveringRows } from './coveringRows.ts'

type Changes = Partial<StageSettings>

const certificateArn = 'arn:aws:acm:us-east-1:111122223333:certificate/00000000-0000-4000-8000-000000000000'
const domainIn = (region: string) => ({
  domain: { name: 'api.example.com', certificateArn: certificateArn.replace('us-east-1', region) },
})
const hosted = { clientId: 'console', stripePublishableKey: 'pk_test_x' }
const mail = { domain: 'console.example.com', from: 'no-reply@console.example.com' }
const canary = 'client_5f0c1a524b0e4a4e9d542f6f8f6f0a01_9c8589018a57479181fe4c455b099bc9'
const canaryClient = { clientId: canary, organizationId: '5f0c1a52-4b0e-4a4e-9d54-2f6f8f6f0a01' }
const all = Object.values(stages)

/** Every value of a setting that the repository's stages have. */
const valuesOf = <Key extends keyof StageSettings>(key: Key): Changes[] => {
  const distinct = new Map(all.map((stage) => [JSON.stringify(stage[key]), stage[key]]))
  return [...distinct.values()].map((value) => ({ [key]: value }))
}
const either = (key: keyof StageSettings): Changes[] => [{ [key]: false }, { [key]: true }]

/**
 * What a stage offers: choices, each with the settings of its values. A firewall needs us-east-1, a domain a certificate of the stage's
 * region, a signing key one of the last two, so these settings are one choice.
 */
export const offered: Readonly<Record<string, readonly Changes[]>> = {
  name: all.map(({ name }) => ({ name })),
  place: [
    { waf: false },
    { waf: false, region: 'eu-central-1', account: '111122223333', ...domainIn('eu-central-1') },
    { waf: true, region: 'us-east-1' },
    { waf: true, region: 'us-east-1', ...domainIn('us-east-1') },
    { waf: true, region: 'us-east-1', edgeOnly: false, edgeKeyGeneration: 2, ...domainIn('us-east-1') },
  ],
  console: [
    {},
    { console: hosted },
    { console: { ...hosted, domain: { name: 'console.example.com', certificateArn } } },
  ],
  mail: [{ mail }, { mail: { ...mail, sandbox: true } }],
  branding: valuesOf('branding'),
  alarms: [
    {},
    { alarmEmail: 'duty@example.com' },
    { alarmEmail: 'duty@example.com', ticketEmail: 'desk@example.com', monthlyBudgetUsd: 500 },
  ],
  logRetentionDays: valuesOf('logRetentionDays'),
  removal: valuesOf('removal'),
  throttles: all.map(({ throttle, routeThrottles }) => ({ throttle, routeThrottles })).slice(1),
  reservedConcurrency: [...valuesOf('reservedConcurrency'), { reservedConcurrency: {}, concurrencyQuota: 500 }],
  canary: [{}, { canaryMinutes: 10 }, { canaryMinutes: 10, canaryClient }],
  backupVaultArn: [{}, { backupVaultArn: 'arn:aws:backup:us-east-1:444455556666:backup-vault:console' }],
  tracing: either('tracing'),
  rollout: [
    { rollout: 'all-at-once' },
    { rollout: 'canary-10-percent-5-minutes' },
    { rollout: 'linear-10-percent-every-minute' },
  ],
  releaseDuringFaults: either('releaseDuringFaults'),
  developmentRedirects: either('developmentRedirects'),
  rateLimits: either('rateLimits'),
  automaticTax: either('automaticTax'),
  pwnedPasswords: either('pwnedPasswords'),
  moneyMails: either('moneyMails'),
  companySignIn: either('companySignIn'),
  tokens: [{}, { issuer: 'https://id.example.com', audience: 'other' }],
  tokenKeys: [
    { tokenKeyGeneration: 1, signingKeyGeneration: 1 },
    { tokenKeyGeneration: 2, signingKeyGeneration: 1 },
    { tokenKeyGeneration: 2, signingKeyGeneration: 2 },
  ],
  maintenance: either('maintenance'),
  restoredTables: [
    {},
    { restoredTables: { billing: 'restored-billing' } },
    {
      restoredTables: {
        accounts: 'restored-accounts',
        billing: 'restored-billing',
        auditLog: 'restored-log',
        events: 'restored-events',
      },
    },
  ],
}

/** Stages in which every combination of any `strength` choices occurs. */
export function stageCombinations(strength: number): StageSettings[] {
  const choices = Object.entries(offered)
  const counts = choices.map(([name, { length: values }]) => ({ name, values }))
  return coveringRows(counts, strength).map((row) => {
    const chosen = choices.map(([, values], choice) => values[row[choice] ?? 0])
    return stageSettings.parse(Object.assign({ ...stages.dev }, ...chosen))
  })
}
