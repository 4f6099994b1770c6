import type { Stripe, StripeCardElement } from '@stripe/stripe-js'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { useServices } from '../../app/services.ts'
import { useLocalization } from '../../texts/useLocalization.ts'
import { ErrorNotice } from '../../ui/ErrorNotice.tsx'

/** A card field that is ready to be filled in. */
export interface MountedCard {
  readonly stripe: Stripe
  readonly element: StripeCardElement
}

/** The card field of Stripe.js, whose input goes only to Stripe. `mounted` holds it while it is shown. */
export function CardField({ mounted }: { readonly mounted: RefObject<MountedCard | undefined> }) {
  const { stripe: load } = useServices()
  const { language, texts } = useLocalization()
  const box = useRef<HTMLDivElement>(null)
  const [ready, setReady] = useState(false)
  const [problem, setProblem] = useState<string>()
  const [failure, setFailure] = useState<unknown>()
  const [attempt, setAttempt] = useState(0)

  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt loads the same again
  useEffect(() => {
    let element: StripeCardElement | undefined
    let gone = false
    load(language).then((stripe) => {
      if (gone || box.current === null) return
      element = stripe.elements().create('card', { style: styleOf(box.current) })
      element.on('ready', () => setReady(true))
      element.on('change', ({ error }) => setProblem(error?.message))
      element.mount(box.current)
      mounted.current = { stripe, element }
    }, setFailure)
    return () => {
      gone = true
      mounted.current = undefined
      element?.destroy()
    }
  }, [load, language, mounted, attempt])

  function retry(): void {
    setFailure(undefined)
    setAttempt((count) => count + 1)
  }

  if (failure !== undefined) return <ErrorNotice error={failure} onRetry={retry} />
  return (
    <div className="card-field">
      <div ref={box} className={ready ? 'card-box' : 'card-box waiting'} />
      <p className="problem" role="alert">
        {problem}
      </p>
      <p className="hint">{texts.cards.privacy}</p>
    </div>
  )
}

/** The page's own colours: the field is a document of its own. */
function styleOf(box: HTMLElement) {
  const { color, fontFamily, fontSize } = getComputedStyle(box)
  const muted = getComputedStyle(document.documentElement).getPropertyValue('--muted').trim()
  const bad = getComputedStyle(document.documentElement).getPropertyValue('--bad').trim()
  return {
    base: { color, iconColor: muted, fontFamily, fontSize, '::placeholder': { color: muted } },
    invalid: { color: bad, iconColor: bad },
  }
}
