import './styles/main.css'
import { QueryClientProvider } from '@tanstack/react-query'
import { type ReactNode, StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { createConsoleClient } from '../../client/src/index.ts'
import { App } from './app/App.tsx'
import { Brand } from './app/Brand.tsx'
import { type ConsoleConfig, parseConfig } from './app/consoleConfig.ts'
import { createQueries } from './app/createQueries.ts'
import { navigate } from './app/navigation.tsx'
import { routeOfQuery } from './app/route.ts'
import { ServicesContext } from './app/services.ts'
import { stripeLoader } from './billing/cards/stripe.ts'
import { createSession } from './session/session.ts'
import { createStepUp } from './session/stepUp.ts'
import { fetchInLanguage } from './texts/fetchInLanguage.ts'
import { LocalizationProvider } from './texts/LocalizationProvider.tsx'
import { createLanguageSetting } from './texts/languageSetting.ts'
import { textsOf } from './texts/languageTexts.ts'
import { useTexts } from './texts/useLocalization.ts'
import { Button } from './ui/Button.tsx'

/** Starts the console: reads its configuration and the reader's language, then shows it. */
async function main(): Promise<void> {
  const root = createRoot(document.getElementById('root') ?? document.body)
  const language = createLanguageSetting(navigator.languages, () => localStorage)
  const queries = createQueries()
  const show = (page: ReactNode) =>
    root.render(
      <StrictMode>
        <QueryClientProvider client={queries}>
          <LocalizationProvider setting={language}>{page}</LocalizationProvider>
        </QueryClientProvider>
      </StrictMode>,
    )
  const [read] = await Promise.allSettled([readConfig(), queries.fetchQuery(textsOf(language.snapshot()))])
  if (read.status === 'rejected') return show(<StartFailure error={read.reason} />)
  const config = read.value
  const named = routeOfQuery(location.search)
  if (named !== undefined) navigate(named, true)
  const client = createConsoleClient({
    baseUrl: config.api_base_url,
    issuer: config.issuer,
    clientId: config.client_id,
    redirectUri: new URL('callback', document.baseURI).href,
    fetch: fetchInLanguage(language.snapshot),
    onSignedOut: (reason) => session.end({ kind: reason === 'refused' ? 'expired' : reason }),
    onUserChanged: ({ name }) => session.handOver(name),
  })
  const session = createSession(client, language.snapshot)
  const stepUp = createStepUp(session)
  const stripe = stripeLoader({ scriptUrl: config.stripe_js_url, publishableKey: config.stripe_publishable_key })
  const securityUrl = new URL('/api/account/security', config.issuer).href
  show(
    <ServicesContext value={{ client, stripe, session, stepUp, language, issuer: config.issuer, securityUrl }}>
      <App />
    </ServicesContext>,
  )
}

void main()

/** Reads `config.json`. Throws if the host has none or it is incomplete. */
async function readConfig(): Promise<ConsoleConfig> {
  const response = await fetch(new URL('config.json', document.baseURI), { cache: 'no-cache' })
  if (!response.ok) throw new Error(`config.json: status ${response.status}`)
  return parseConfig(await response.text())
}

/** The console cannot start: its configuration is missing, or the browser is offline. */
function StartFailure({ error }: { readonly error: unknown }) {
  const { app, ui } = useTexts()
  return (
    <main className="welcome">
      <div className="welcome-card">
        <Brand />
        <h1>{app.failed.title}</h1>
        <p className="lead">{app.failed.text}</p>
        <p className="hint">{error instanceof Error ? error.message : String(error)}</p>
        <Button kind="primary" wide onClick={() => location.reload()}>
          {ui.tryAgain}
        </Button>
      </div>
    </main>
  )
}
