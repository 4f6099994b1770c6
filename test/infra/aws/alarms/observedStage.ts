import { stageWith, synthesizeStage } from '../stacks/synthesized.ts'

const certificateArn = 'arn:aws:acm:us-east-1:111122223333:certificate/00000000-0000-4000-8000-000000000000'
const domain = { name: 'api.example.com', certificateArn }
const backupVaultArn = 'arn:aws:backup:us-east-1:444455556666:backup-vault:copies'

/** Production with everything that can be watched. Tests share it: it is synthesized once. */
export function synthesizeObservedStage() {
  const region = 'us-east-1'
  const emails = { alarmEmail: 'duty@example.com', ticketEmail: 'desk@example.com' }
  const canaryClient = { clientId: 'canary', organizationId: '5f0c1a52-4b0e-4a4e-9d54-2f6f8f6f0a01' }
  return synthesizeStage(stageWith({ ...emails, canaryClient, domain, backupVaultArn, region, waf: true }, 'prod'))
}
