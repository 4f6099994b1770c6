// Generated from infra/data/products.ts by `npm run products`.
export const planCodes = {
  ota: 'base_ota',
  monitoring: 'addon_monitoring',
  crash_reporting: 'addon_crash_reporting',
  remote_ssh: 'addon_remote_ssh',
} as const
