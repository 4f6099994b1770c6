import { ServiceError } from '../../../../lib/core/errors.ts'
import type { OrganizationId } from '../../../../lib/core/ids.ts'
import { StepUpError, signOnAcrOf } from '../../../../lib/core/stepUp.ts'
import type { IssuedTokens } from '../../../../lib/oauth/token/tokenRequest.ts'
import { getOrganization } from '../../../../lib/organizations/getOrganization.ts'
import { noFactors, openBrowser } from '../../recovery/browser.ts'
import { exchangeCode, openCompanyBrowser, refresh } from '../companyBrowser.ts'
import { type CompanyService, identityIn, requestOf } from '../companyService.ts'
import type { Assertion } from '../scriptedProviders.ts'

/** Somebody who works at the company. */
export interface Employee {
  readonly subject: string
  readonly email: string
  /** Of an account from before the company had a sign-on. */
  readonly password: string | undefined
  /** Where the second factor is. */
  readonly factor: 'at the provider' | 'own' | 'none yet'
  /** Whether the application keeps its tokens overnight. */
  readonly keepsTokens: boolean
}

/** An answer to a request: `served`, or a refusal with what it asks for. */
interface Answer {
  readonly code: string
  readonly asks?: Readonly<Record<string, string>>
}

/** How a sign-in ended. */
type GotIn = 'in' | 'unreachable' | 'denied' | string

/** The device of an employee: a browser, and the application in it. */
export function openDevice(
  service: CompanyService,
  employee: Employee,
  { organizationId, ip }: { organizationId: OrganizationId; ip: string },
) {
  const { deps, now } = service
  const browser = openCompanyBrowser(service, ip)
  const factors = noFactors()
  let tokens: IssuedTokens | undefined
  let issuedAt = 0

  const holder = () => ({ email: employee.email, password: employee.password, secret: factors.secrets[0] })

  function keep(next: IssuedTokens | undefined): void {
    tokens = next
    issuedAt = now()
  }

  /** What the company's provider says of its employee, who has signed in there in the morning, or does again if that is asked for. */
  const said = (url: URL): Assertion => ({
    ...{ subject: employee.subject, email: employee.email, isEmailVerified: true },
    hasTwoFactors: employee.factor === 'at the provider',
    signedInAt: url.searchParams.get('prompt') === 'login' ? now() : now() - 20 * 60_000,
  })

  async function signOn(query: string, isDenied: boolean): Promise<GotIn> {
    const step = await browser.signOn(organizationId, isDenied ? 'denied' : said, query)
    if (step.step === 'failed') return step.problem
    return step.step === 'connect' ? browser.connect(holder()) : 'in'
  }

  /** Follows the pages of an authorization request to its end. */
  async function getIn(query: string, isDenied: boolean): Promise<GotIn> {
    for (let page = 0; page < 8; page += 1) {
      let step = await browser.authorize(query)
      if (step.step === 'add_factor') step = await browser.goOn(query)
      if (step.step === 'address') step = await browser.enterAddress(employee.email, query)
      if (step.step === 'respond') {
        const got = await exchangeCode(service, step)
        if (got === undefined) return new URL(step.location).searchParams.get('error') ?? 'no code'
        keep(got)
        return 'in'
      }
      const isCompany = step.step === 'single_sign_on' || (step.step === 'password' && step.company !== undefined)
      const outcome = isCompany ? await signOn(query, isDenied) : await browser.showFactor(holder(), query)
      if (outcome !== 'in' && outcome !== 'connected' && outcome !== 'signed_in') return outcome
    }
    return 'in a circle'
  }

  return {
    hasTokens: () => tokens !== undefined,
    /** Whether the application needs new tokens before its next request. */
    isStale: () => tokens !== undefined && now() - issuedAt >= tokens.expiresIn * 1000,
    close: () => keep(undefined),
    signIn: (asks: Readonly<Record<string, string>> = {}, { isDenied = false } = {}) =>
      getIn(requestOf(asks), isDenied),
    async refresh(): Promise<string> {
      try {
        keep(await refresh(service, tokens?.refreshToken ?? ''))
        return 'served'
      } catch (error) {
        if (!(error instanceof ServiceError)) throw error
        keep(undefined)
        return error.code
      }
    },
    async request(): Promise<Answer> {
      const caller = identityIn(tokens?.accessToken ?? '')
      try {
        await getOrganization(deps.organizations, { organizationId, caller })
        return { code: 'served' }
      } catch (error) {
        if (!(error instanceof ServiceError)) throw error
        return { code: error.code, ...(error instanceof StepUpError && { asks: asked(error) }) }
      }
    },
    caller: () => identityIn(tokens?.accessToken ?? ''),
    /** Adds an authenticator app, in a browser of the account's own password. */
    async addApp(): Promise<boolean> {
      const own = openBrowser(service.asService)
      await own.signIn(employee.email, employee.password ?? '', factors)
      return own.addTotp(factors)
    },
    hasApp: () => factors.secrets.length > 0,
  }
}

export type Device = ReturnType<typeof openDevice>

/** What the challenge of a refusal has the application ask for. */
function asked({ wanted: { maxAge, level, sso } }: StepUpError): Record<string, string> {
  const acr = [...(sso === undefined ? [] : [signOnAcrOf(sso)]), ...(level === undefined ? [] : [level])]
  return { ...(maxAge !== undefined && { max_age: `${maxAge}` }), ...(acr.length > 0 && { acr_values: acr.join(' ') }) }
}
