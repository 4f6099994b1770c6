import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { createConsoleClient } from '../../client/src/index.ts'
import { App } from './app/App.tsx'
import { readConfig } from './app/config.ts'
import { navigate } from './app/navigation.tsx'
import { routeOfQuery } from './app/route.ts'
import { StartFailure } from './app/StartFailure.tsx'
import { ServicesContext } from './app/services.ts'
import { stripeLoader } from './billing/stripe.ts'
import { createSession } from './session/session.ts'
import { createStepUp } from './session/stepUp.ts'
import { fetchInLanguage } from './texts/fetchInLanguage.ts'
import { LocalizationProvider } from './texts/LocalizationProvider.tsx'
import { createLanguageSetting } from './texts/languageSetting.ts'
import './styles/main.css'

/** Starts the console: reads its configuration, then shows it. */
async function main(): Promise<void> {
  const root = createRoot(document.getElementById('root') ?? document.body)
  const language = createLanguageSetting(navigator.languages, () => localStorage)
  const config = await readConfig().catch((error: unknown) => {
    root.render(
      <LocalizationProvider setting={language}>
        <StartFailure error={error} />
      </LocalizationProvider>,
    )
  })
  if (config === undefined) return
  const named = routeOfQuery(location.search)
  if (named !== undefined) navigate(named, true)
  const client = createConsoleClient({
    baseUrl: config.api_base_url,
    issuer: config.issuer,
    clientId: config.client_id,
    redirectUri: new URL('callback', document.baseURI).href,
    fetch: fetchInLanguage(language.snapshot),
    onSignedOut: () => session.end({ kind: 'expired' }),
  })
  const session = createSession(client, language.snapshot)
  const stepUp = createStepUp(session)
  const stripe = stripeLoader({ scriptUrl: config.stripe_js_url, publishableKey: config.stripe_publishable_key })
  const securityUrl = new URL('/api/account/security', config.issuer).href
  root.render(
    <StrictMode>
      <ServicesContext value={{ client, stripe, session, stepUp, language, securityUrl }}>
        <LocalizationProvider setting={language}>
          <App />
        </LocalizationProvider>
      </ServicesContext>
    </StrictMode>,
  )
}

void main()
