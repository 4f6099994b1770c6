import { type StageSettings, stageNamed, stageSettings } from '../../data/stages.ts'

const certificateArn = 'arn:aws:acm:us-east-1:123456789012:certificate/00000000-0000-4000-8000-000000000000'

/** Production with every optional setting, so that its templates have every resource. For tools that read or deploy templates. */
export const fullStage: StageSettings = stageSettings.parse({
  ...stageNamed('prod'),
  region: 'us-east-1',
  domain: { name: 'api.example.com', certificateArn },
  waf: true,
  console: {
    domain: { name: 'console.example.com', certificateArn: certificateArn.replace('00000000', '11111111') },
    clientId: 'console',
    stripePublishableKey: 'pk_live_x',
  },
  alarmEmail: 'duty@example.com',
  backupVaultArn: 'arn:aws:backup:us-east-1:444455556666:backup-vault:copies',
})
