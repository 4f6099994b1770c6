import { readTokenPublicKey } from './dependencies/openKms.ts'
import { dummyCredentials, functionEnvironment, setEnvironment } from './functionEnvironment.ts'
import type { LocalInfo } from './info.ts'
import { findStack } from './localClient.ts'
import { clockUrlOf, readSettings } from './settings.ts'

/**
 * Gives this process the environment of a running stack's functions: its tables, keys, gateway and clock.
 * @param target a port of this machine, or a base URL. Defaults to the port of `npm start`
 * @throws Error if no stack answers
 */
export async function connectToStack(
  target: { port?: string | undefined; base?: string | undefined },
  { quiet = false } = {},
): Promise<LocalInfo> {
  const baseUrl = target.base ?? `http://localhost:${target.port ?? (process.env.PORT || '3000')}`
  const info = await findStack(baseUrl)
  if (info === undefined)
    throw new Error(`no local stack answers at ${baseUrl}: start one with npm start, or name its port: -- --port N`)
  const { region, hasCredentials, rateLimits, automaticTax, companySignIn, pwnedPasswordsUrl } = readSettings(
    process.env,
  )
  setEnvironment({ AWS_REGION: region, ...(!hasCredentials && dummyCredentials) })
  const tokenPublicKey = await readTokenPublicKey(info.kms_endpoint, region)
  const clockUrl = clockUrlOf(info.stripe.api_base)
  setEnvironment(
    functionEnvironment({
      info,
      tokenPublicKey,
      clockUrl,
      rateLimits,
      automaticTax,
      companySignIn,
      pwnedPasswordsUrl,
      quiet,
    }),
  )
  return info
}
