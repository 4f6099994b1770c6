import { createContext, useContext } from 'react'
import type { ConsoleClient } from '../../../client/src/index.ts'
import type { StripeLoader } from '../billing/cards/stripe.ts'
import type { Session } from '../session/session.ts'
import type { StepUp } from '../session/stepUp.ts'
import type { LanguageSetting } from '../texts/languageSetting.ts'

/** The services that the pages use. */
export interface Services {
  readonly client: ConsoleClient
  /** Loads Stripe.js, once. */
  readonly stripe: StripeLoader
  readonly session: Session
  readonly stepUp: StepUp
  readonly language: LanguageSetting
  /** The address of the service. */
  readonly issuer: string
  /** The hosted page of passkeys, authenticator app and recovery codes. */
  readonly securityUrl: string
}

export const ServicesContext = createContext<Services | undefined>(undefined)

/** The services of the console. */
export function useServices(): Services {
  const services = useContext(ServicesContext)
  if (services === undefined) throw new Error('no services are provided')
  return services
}
