/** A product on sale, in the words and at the price that buyers see. */
export interface ProductOnSale {
  /** What carts name: the `lookup_key` of the Stripe Price. */
  readonly planCode: string
  readonly name: string
  /** A sentence for the console's offer. */
  readonly description: { readonly en: string; readonly de: string }
  /** A drawing of the console, by its name in `infra/console/src/ui/iconPaths.ts`. */
  readonly icon: string
  /** The monthly price, in the smallest unit of `currency`. */
  readonly unitAmount: number
}

export const currency = 'usd'

/**
 * Everything on sale, in the order of the console. A key is the product's code, which entitlements and cancel requests name.
 * After a change, run `npm run products`; CONTRIBUTING explains how to sell other products.
 */
export const productsOnSale = {
  ota: {
    planCode: 'base_ota',
    name: 'Over-the-air updates',
    description: {
      en: 'Ship new versions to devices in the field, and roll back with a click.',
      de: 'Neue Versionen an Geräte im Einsatz verteilen und mit einem Klick zurücknehmen.',
    },
    icon: 'update',
    unitAmount: 4900,
  },
  monitoring: {
    planCode: 'addon_monitoring',
    name: 'Monitoring',
    description: {
      en: 'See the health of every device, and hear of problems first.',
      de: 'Den Zustand jedes Geräts sehen und zuerst von Problemen erfahren.',
    },
    icon: 'chart',
    unitAmount: 1900,
  },
  crash_reporting: {
    planCode: 'addon_crash_reporting',
    name: 'Crash reporting',
    description: {
      en: 'Every crash with its stack trace, grouped by cause.',
      de: 'Jeder Absturz mit Stacktrace, nach Ursache gruppiert.',
    },
    icon: 'bug',
    unitAmount: 1500,
  },
  remote_ssh: {
    planCode: 'addon_remote_ssh',
    name: 'Remote SSH',
    description: {
      en: 'Open a shell on any device, behind any firewall.',
      de: 'Auf jedem Gerät eine Shell öffnen, hinter jeder Firewall.',
    },
    icon: 'terminal',
    unitAmount: 2900,
  },
} as const satisfies Record<string, ProductOnSale>
