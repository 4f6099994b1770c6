// Generated from infra/data/products.ts by `npm run products`.
export const productIcons = {
  ota: 'update',
  monitoring: 'chart',
  crash_reporting: 'bug',
  remote_ssh: 'terminal',
} as const
