import type { Page } from 'playwright-core'
import * as z from 'zod'
import { openEmulator } from '../support/openEmulator.ts'

/** What the browser recorded: errors and requested URLs. */
interface Overheard {
  errors: string[]
  origins: Set<string>
}

function overhear(page: Page): Overheard {
  const errors: string[] = []
  const origins = new Set<string>()
  page.removeAllListeners()
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') errors.push(message.text())
  })
  page.on('pageerror', (error) => errors.push(error.message))
  page.on('request', (request) => origins.add(new URL(request.url()).origin))
  return { errors, origins }
}

/**
 * Opens an emulator and shows its page in this tab; one live subscription per organization and product. A tab serves test after
 * test, for another one is another process of the browser: each emulator is an origin of its own, so that nothing stays stored.
 */
export async function openPage(page: Page) {
  const emulator = await openEmulator({ settings: { oneLivePer: ['organization_id', 'product'] } })
  await page.setViewportSize({ width: 1280, height: 900 })
  const overheard = overhear(page)
  const response = await page.goto(`${emulator.apiBase}/_emulator/`)
  await page.getByText('Live', { exact: true }).waitFor()
  return {
    ...emulator,
    page,
    overheard,
    headers: response?.headers() ?? {},
    subscription: (id: string) => page.locator('#subscriptions li', { hasText: id }),
    row: (list: string, text: string) => page.locator(`#${list} tbody tr`, { hasText: text }),
    /** A subscription of a new customer with this card, under the key `buy-<customer>`. */
    buy: async (card = 'pm_card_visa', metadata: Record<string, string> = {}) => {
      const customer = await emulator.customerWith(card)
      return emulator.stripe.subscriptions.create(
        { customer: customer.id, items: [{ price: emulator.ota }], metadata },
        { idempotencyKey: `buy-${customer.id}` },
      )
    },
    button: (name: string | RegExp) => page.getByRole('button', { name }),
    said: (text: string) => page.getByRole('status').filter({ hasText: text }).waitFor(),
    close: async () => {
      await page.goto('about:blank')
      await emulator.close()
    },
  }
}

export type OpenedPage = Awaited<ReturnType<typeof openPage>>

const controlRoles = ['button', 'checkbox', 'combobox', 'link', 'radio', 'searchbox', 'spinbutton', 'textbox']
const treeSchema = z.object({
  nodes: z.array(
    z.object({
      ignored: z.boolean(),
      role: z.object({ value: z.string() }).optional(),
      name: z.object({ value: z.string() }).optional(),
    }),
  ),
})

/** Role and name of every control in the browser's accessibility tree, as a screen reader would say them. */
export async function controlsOf(page: Page): Promise<{ role: string; name: string }[]> {
  const session = await page.context().newCDPSession(page)
  const { nodes } = treeSchema.parse(await session.send('Accessibility.getFullAXTree'))
  await session.detach()
  return nodes
    .filter((node) => !node.ignored)
    .map(({ role, name }) => ({ role: role?.value ?? '', name: name?.value.trim() ?? '' }))
    .filter(({ role }) => controlRoles.includes(role))
}
