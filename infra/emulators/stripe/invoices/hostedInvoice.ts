import type Stripe from 'stripe'
import type { Context } from '../state/context.ts'
import { randomText } from '../state/ids.ts'
import type { Store } from '../state/store.ts'
import type { Wire } from '../wire/wire.ts'

type Invoice = Wire<Stripe.Invoice>

/** The links of an invoice that is finalized: its page and its PDF, for everyone who has the link. Their secret cannot be guessed. */
export function hostedUrls({ apiBase, random }: Pick<Context, 'apiBase' | 'random'>) {
  const secret = `test_${randomText(random, 48)}`
  return {
    hosted_invoice_url: `${apiBase()}/i/acct_emulator/${secret}?s=ap`,
    invoice_pdf: `${apiBase()}/invoice/acct_emulator/${secret}/pdf?s=ap`,
  }
}

/** What a link of an invoice leads to. */
export interface HostedInvoice {
  kind: 'page' | 'pdf'
  invoice: Invoice
}

/** The invoice that a path links to; undefined if the path is no such link. The host does not matter: it changes between starts. */
export function hostedInvoice(store: Pick<Store, 'all'>, path: string): HostedInvoice | undefined {
  const found = /^\/(?:i\/acct_emulator\/(test_\w{48})|invoice\/acct_emulator\/(test_\w{48})\/pdf)$/.exec(path)
  const secret = found?.[1] ?? found?.[2]
  if (secret === undefined) return undefined
  const invoice = store.all('invoices').find((row) => row.hosted_invoice_url?.includes(`/${secret}?`))
  return invoice && { kind: found?.[1] === undefined ? 'pdf' : 'page', invoice }
}
