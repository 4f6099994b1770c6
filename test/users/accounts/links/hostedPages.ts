import { expect } from '@jest/globals'
import * as z from 'zod'
import type { LocalClient } from '../../../../infra/local/localClient.ts'
import { newEmail } from '../../../../infra/local/samples/sampleAccounts.ts'
import { formFields } from '../../../oauth/authorize/page.ts'
import { queryOf, signInAt } from '../../../oauth/authorize/people.ts'
import { type Met, Visitor } from '../../../oauth/authorize/visitor.ts'
import { useBillingStack } from '../../../support/billingStack.ts'
import { createEmulator } from '../../../support/emulator.ts'
import { PASSWORD } from '../useAccounts.ts'

export type FormPurpose = 'forgot_password' | 'register' | 'resend_verification'

const mails = z.array(z.object({ to: z.string(), subject: z.string(), text: z.string(), html: z.string() }))

/** A local stack, and browsers without script at its pages. */
export function useHostedPages() {
  const bed = useBillingStack()
  let taken = 0
  const client = (): LocalClient => bed.stack.client
  const stack = (): Pick<LocalClient, 'info'> => client()
  const browser = () => new Visitor(stack().info.base_url)

  /** The path of a form, with the authorization request that it leads back to. */
  const pathOf = (purpose: FormPurpose, request?: string) =>
    `/api/auth/link?${new URLSearchParams({ purpose, ...(request !== undefined && { request }) })}`

  /** Asks for a page in that browser, which keeps its cookie; sends a form where one is given. */
  async function visit(visitor: Visitor, path: string, form?: Record<string, string>, headers = {}): Promise<Met> {
    const response = await fetch(new URL(path, stack().info.base_url), {
      ...(form && { method: 'POST', body: new URLSearchParams(form) }),
      headers: { ...visitor.cookieHeader, ...headers },
      redirect: 'manual',
    })
    for (const cookie of response.headers.getSetCookie()) visitor.keep(cookie)
    const location = response.headers.get('location')
    return { status: response.status, headers: response.headers, body: await response.text(), location }
  }

  /** Sends the form of a page as it is, but for what is filled in. */
  const send = (visitor: Visitor, path: string, page: Met, fields: Record<string, string> = {}) =>
    visit(visitor, path, { ...formFields(page.body), ...fields })

  /** Opens a form in a browser, fills it in and sends it. */
  async function fill(purpose: FormPurpose, fields: Record<string, string>, visitor = browser(), request?: string) {
    return send(visitor, pathOf(purpose, request), await visit(visitor, pathOf(purpose, request)), fields)
  }

  /** Moves the stack's clock. */
  const advance = (seconds: number) => createEmulator(stack().info.stripe.api_base).advance(seconds)

  async function mailsTo(address: string) {
    const { body } = await client().send({ method: 'GET', path: '/_local/mail.json' })
    return mails.parse(body).filter(({ to }) => to === address)
  }

  /** The path and query of the link in the newest mail to an address. */
  async function linkMailedTo(address: string): Promise<string> {
    const [newest] = await mailsTo(address)
    const { pathname, search } = new URL(/https?:\/\/\S+/.exec(newest?.text ?? '')?.[0] ?? '')
    return pathname + search
  }

  /** The fields of a registration with an unused email address and username. */
  function newcomer() {
    taken += 1
    return { email: newEmail(), username: `hosted-form-${taken}`, password: PASSWORD }
  }

  /** A user with an account that is not verified yet. */
  async function registered() {
    const someUser = newcomer()
    expect((await fill('register', someUser)).status).toBe(200)
    return someUser
  }

  /** A user with a verified account. */
  async function verified() {
    const someUser = await registered()
    const [visitor, link] = [browser(), await linkMailedTo(someUser.email)]
    const { password } = someUser
    expect((await send(visitor, link, await visit(visitor, link), { password })).status).toBe(200)
    return someUser
  }

  /** The query of an authorization request of the demo's client. */
  function requestOf(change: Readonly<Record<string, string>> = {}): string {
    const { client_id, redirect_uri } = stack().info.demo
    return queryOf({ clientId: client_id }, { redirect_uri, ...change })
  }

  /** Signs in on the sign-in page in a new browser; 303 is success. */
  async function statusOfSignIn(email: string, password: string): Promise<number> {
    return (await signInAt(browser(), requestOf(), email, password)).status
  }

  return {
    stack,
    client,
    advance,
    browser,
    pathOf,
    visit,
    send,
    fill,
    mailsTo,
    linkMailedTo,
    newcomer,
    registered,
    verified,
    requestOf,
    statusOfSignIn,
  }
}
