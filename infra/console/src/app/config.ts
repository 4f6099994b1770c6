import * as z from 'zod/mini'

/** The console's configuration, which its host serves beside `index.html`. */
const consoleConfig = z.object({
  issuer: z.url(),
  client_id: z.string(),
  api_base_url: z.url(),
  stripe_publishable_key: z.string(),
  /** The script that defines `Stripe`. */
  stripe_js_url: z.url(),
})

export type ConsoleConfig = z.infer<typeof consoleConfig>

/** Reads `config.json`. Throws if the host has none or it is incomplete. */
export async function readConfig(): Promise<ConsoleConfig> {
  const response = await fetch(new URL('config.json', document.baseURI), { cache: 'no-cache' })
  if (!response.ok) throw new Error(`config.json: status ${response.status}`)
  return consoleConfig.parse(await response.json())
}
