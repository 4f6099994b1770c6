// Generated from infra/data/products.ts by `npm run products`.
export const productDescriptions = {
  ota: 'Ship new versions to devices in the field, and roll back with a click.',
  monitoring: 'See the health of every device, and hear of problems first.',
  crash_reporting: 'Every crash with its stack trace, grouped by cause.',
  remote_ssh: 'Open a shell on any device, behind any firewall.',
}
