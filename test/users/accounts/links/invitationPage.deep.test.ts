import { describe, expect, it } from '@jest/globals'
import * as z from 'zod'
import { displayAddress } from '../../../../lib/core/displayAddress.ts'
import { formFields, linksIn, textOf } from '../../../oauth/authorize/page.ts'
import { signInAt } from '../../../oauth/authorize/people.ts'
import type { Met, Visitor } from '../../../oauth/authorize/visitor.ts'
import { OTHER_PASSWORD, PASSWORD } from '../useAccounts.ts'
import { useHostedPages } from './hostedPages.ts'

const pages = useHostedPages()
const {
  stack,
  client,
  browser,
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
} = pages

const application = () => `${stack().info.base_url}/_local/console`
const created = z.object({ id: z.string() })
const memberList = z.object({
  members: z.array(z.object({ email: z.string(), role: z.string(), username: z.string() })),
  invitations: z.array(z.unknown()),
})

async function asOwner(method: 'GET' | 'POST' | 'DELETE', path: string, body?: unknown) {
  const token = (await client().signIn('owner')).access_token
  return client().send({ method, path, token, ...(body !== undefined && { body }) })
}

/** An organization of the demo's owner, who invited an address to it. */
async function invited(email: string, role = 'member') {
  const id = created.parse((await asOwner('POST', '/api/organizations', { name: 'Rakete & Söhne' })).body).id
  const invite = async () => (await asOwner('POST', `/api/organizations/${id}/invitations`, { email, role })).body
  const invitationId = created.parse(await invite()).id
  const members = async () => memberList.parse((await asOwner('GET', `/api/organizations/${id}/members`)).body)
  return { id, invite, invitationId, members, email, link: await linkMailedTo(displayAddress(email)) }
}

/** Presses the button of an invitation's page. */
async function join(link: string, fields: Record<string, string>): Promise<Met> {
  const visitor = browser()
  return send(visitor, link, await visit(visitor, link), fields)
}

const newMember = ({ username, password }: { username: string; password: string }) => ({ username, password })

describe('The page of an invitation', () => {
  it('names organization, role and inviter, and the invited address', async () => {
    const { link, email } = await invited(newcomer().email, 'billing_admin')
    const { status, body, headers } = await visit(browser(), link)
    expect(status).toBe(200)
    expect(textOf(body)).toMatch(
      /^Join Rakete &amp; Söhne demo-owner invites you to join the organization Rakete &amp; Söhne as a billing admin\./,
    )
    expect(body).toContain(`value="${email}" autocomplete="username" readonly`)
    expect(headers.get('referrer-policy')).toBe('no-referrer')
  })

  it('shows the domain of the invited address in punycode, where its letters look like others', async () => {
    const { link } = await invited(newcomer().email.replace('example', 'exаmple'))
    const { body } = await visit(browser(), link)
    expect(body).toMatch(/value="[\w-]+@xn--exmple-4nf\.com" autocomplete="username" readonly/)
  })

  it('changes nothing, however often it is opened', async () => {
    const { link, members } = await invited(newcomer().email)
    const before = await members()
    for (let visits = 0; visits < 3; visits += 1) await visit(browser(), link)
    expect(await members()).toEqual(before)
  })

  describe('Given an address without an account', () => {
    it('creates one that is verified and a member, and leads to the application with the organization', async () => {
      const someUser = newcomer()
      const { link, members, id } = await invited(someUser.email, 'owner')
      const mailed = (await mailsTo(someUser.email)).length
      const done = await join(link, newMember(someUser))
      expect([done.status, textOf(done.body)]).toEqual([
        200,
        'Welcome to Rakete &amp; Söhne You are now an owner of the organization. Open Console',
      ])
      expect(linksIn(done.body)).toEqual({ 'Open Console': `${application()}?organization_id=${id}` })
      const { members: all, invitations } = await members()
      expect(invitations).toEqual([])
      expect(all).toContainEqual(
        expect.objectContaining({ username: someUser.username, email: someUser.email, role: 'owner' }),
      )
      expect(await mailsTo(someUser.email)).toHaveLength(mailed)
      expect(await statusOfSignIn(someUser.email, PASSWORD)).toBe(303)
    })

    it('says all that is wrong at once, at its field, and keeps the username but no password', async () => {
      const { link, members } = await invited(newcomer().email)
      const { status, body } = await join(link, { username: '-x-', password: 'password1' })
      expect(status).toBe(422)
      expect([...body.matchAll(/id="(\w+)-problem" role="alert"/g)].map(([, name]) => name)).toEqual([
        'username',
        'password',
      ])
      expect(body).toMatch(/id="username"[^>]* value="-x-"[^>]* aria-invalid="true" autofocus/)
      expect(body).not.toContain('password1')
      expect((await members()).members).toHaveLength(1)
    })

    it('refuses the name of the organization as a password, and says so in the browser’s language', async () => {
      const [someUser, visitor] = [newcomer(), browser()]
      const { link } = await invited(someUser.email)
      const german = { 'accept-language': 'de' }
      const fields = formFields((await visit(visitor, link, undefined, german)).body)
      const form = { ...fields, ...newMember(someUser), password: 'rakete-söhne' }
      const { status, body } = await visit(visitor, link, form, german)
      expect([status, textOf(body)]).toEqual([
        422,
        expect.stringContaining('die Namen dieses Dienstes und Ihrer Organisation sind leicht zu erraten.'),
      ])
    })

    it('asks for another username where it is reserved', async () => {
      const someUser = newcomer()
      const { link } = await invited(someUser.email)
      const { status, body } = await join(link, { ...newMember(someUser), username: 'Bi11ing' })
      expect([status, textOf(body)]).toEqual([409, expect.stringContaining('This username is taken.')])
      expect((await join(link, newMember(someUser))).status).toBe(200)
    })

    it('asks for another username where it is taken, and joins with that', async () => {
      const [someUser, other] = [newcomer(), await registered()]
      const { link, members } = await invited(someUser.email)
      const refused = await join(link, { ...newMember(someUser), username: other.username.toUpperCase() })
      expect([refused.status, textOf(refused.body)]).toEqual([409, expect.stringContaining('This username is taken.')])
      expect((await members()).members).toHaveLength(1)
      expect((await join(link, newMember(someUser))).status).toBe(200)
    })

    // [asvs 2.3.3]
    it('makes one account and one member of 4 presses at once, and answers all of them alike', async () => {
      const someUser = newcomer()
      const { link, members } = await invited(someUser.email)
      const visitor = browser()
      const page = await visit(visitor, link)
      const answers = await Promise.all(Array.from({ length: 4 }, () => send(visitor, link, page, newMember(someUser))))
      expect(new Set(answers.map(({ status, body }) => `${status} ${body}`)).size).toBe(1)
      expect(answers[0]?.status).toBe(200)
      expect((await members()).members.filter(({ email }) => email === someUser.email)).toHaveLength(1)
    })

    it('answers the same again to the same form, and nothing to another password', async () => {
      const someUser = newcomer()
      const { link } = await invited(someUser.email)
      const [visitor, page] = [browser(), await visit(browser(), link)]
      const first = await send(visitor, link, page, newMember(someUser))
      expect((await send(visitor, link, page, newMember(someUser))).body).toBe(first.body)
      const other = await send(visitor, link, page, { ...newMember(someUser), password: OTHER_PASSWORD })
      expect([other.status, textOf(other.body)]).toEqual([400, expect.stringContaining('already accepted')])
    })
  })

  describe('Given an address with a verified account', () => {
    // [asvs 6.3.4]
    it('signs in with it and joins; a wrong password is a problem of its field', async () => {
      const someUser = await verified()
      const { link, members, id } = await invited(someUser.email)
      const page = await visit(browser(), link)
      expect(page.body).not.toContain('name="username"')
      expect(linksIn(page.body)).toEqual({ 'Forgot password?': pages.pathOf('forgot_password') })
      const refused = await join(link, { password: OTHER_PASSWORD })
      expect([refused.status, textOf(refused.body)]).toEqual([400, expect.stringContaining('Incorrect password.')])
      expect((await members()).members).toHaveLength(1)
      const done = await join(link, { password: PASSWORD })
      expect(linksIn(done.body)).toEqual({ 'Open Console': `${application()}?organization_id=${id}` })
      expect((await members()).members).toContainEqual(expect.objectContaining({ email: someUser.email }))
    })

    // [threat 88]
    it('throttles guesses as the sign-in page does, and says when to try again', async () => {
      const someUser = await verified()
      const { link } = await invited(someUser.email)
      let last = await join(link, { password: 'guess' })
      for (let guess = 0; guess < 60 && last.status === 400; guess += 1) last = await join(link, { password: 'guess' })
      expect(last.status).toBe(429)
      expect(last.headers.get('retry-after')).toMatch(/^\d+$/)
      expect(textOf(last.body)).toMatch(/Too many attempts\. Try again in \d+ minutes/)
    })

    it('joins nobody else: who sends another address joins with the invited one, or not at all', async () => {
      const [someUser, stranger] = [await verified(), await verified()]
      const { link, members } = await invited(someUser.email)
      const { email } = stranger
      expect((await join(link, { email, password: OTHER_PASSWORD })).status).toBe(400)
      expect((await join(link, { email, password: PASSWORD })).status).toBe(200)
      const joined = (await members()).members.map((member) => member.email)
      expect(joined).toContain(someUser.email)
      expect(joined).not.toContain(email)
    })

    it('says to a member that there is nothing left to do', async () => {
      const someUser = await verified()
      const first = await invited(someUser.email)
      await join(first.link, { password: PASSWORD })
      await first.invite()
      const again = await join(await linkMailedTo(someUser.email), { password: PASSWORD })
      expect([again.status, textOf(again.body)]).toEqual([409, expect.stringContaining('You are already a member')])
      expect(linksIn(again.body)).toEqual({ 'Open Console': application() })
    })
  })

  describe('Given an address whose account was never verified', () => {
    // [threat 30.11b]
    it('takes a new name and password, which alone count from then on: a stranger may have chosen those before', async () => {
      const someUser = await registered()
      const { username } = newcomer()
      const verification = await linkMailedTo(someUser.email)
      const { link, members } = await invited(someUser.email)
      const page = await visit(browser(), link)
      expect(textOf(page.body)).toContain('never confirmed. Choose a username and a password for it to join.')
      expect(page.body).toContain('name="username"')
      expect(page.body).not.toContain(someUser.username)
      expect((await join(link, { username, password: 'short' })).status).toBe(422)
      expect((await join(link, { username: 'billing-team', password: OTHER_PASSWORD })).status).toBe(409)
      expect((await join(link, { username, password: OTHER_PASSWORD })).status).toBe(200)
      expect((await members()).members).toContainEqual(expect.objectContaining({ email: someUser.email, username }))
      expect(await statusOfSignIn(someUser.email, PASSWORD)).toBe(400)
      expect(await statusOfSignIn(someUser.email, OTHER_PASSWORD)).toBe(303)
      const dead = await visit(browser(), verification)
      expect(dead.status).toBe(400)
    })
  })
})

describe('The page of an invitation in the browser of a user who is signed in', () => {
  /** A browser in which a new user is signed in. */
  async function signedIn() {
    const someUser = await verified()
    const visitor = browser()
    expect((await signInAt(visitor, requestOf(), someUser.email, PASSWORD)).status).toBe(303)
    return { ...someUser, visitor }
  }

  it('asks the invited user for nothing more than a press of its button', async () => {
    const { visitor, email } = await signedIn()
    const { link, members, id } = await invited(email)
    const page = await visit(visitor, link)
    expect(Object.keys(formFields(page.body)).toSorted()).toEqual(['csrf', 'purpose', 'token'])
    expect(textOf(page.body)).toMatch(new RegExp(`as a member\\. Signed in as ${email} Join$`))
    const done = await send(visitor, link, page)
    expect([done.status, linksIn(done.body)]).toEqual([
      200,
      { 'Open Console': `${application()}?organization_id=${id}` },
    ])
    expect((await members()).members).toContainEqual(expect.objectContaining({ email, role: 'member' }))
    expect((await send(visitor, link, page)).body).toBe(done.body)
  })

  it('says to another user who is signed in, and offers to change the account', async () => {
    const [{ visitor, email }, invitee] = [await signedIn(), await verified()]
    const { link, members } = await invited(invitee.email)
    const page = await visit(visitor, link)
    expect(textOf(page.body)).toContain(`Signed in as ${email} The invitation is for ${invitee.email} .`)
    expect(page.body).not.toContain('<form')
    const change = linksIn(page.body)['Use another account']?.replaceAll('&amp;', '&') ?? ''
    const done = await send(visitor, link, await visit(visitor, change), { password: PASSWORD })
    expect(done.status).toBe(200)
    expect((await members()).members.map((member) => member.email)).toEqual(expect.arrayContaining([invitee.email]))
    expect((await members()).members.map((member) => member.email)).not.toContain(email)
    const asked = await visitor.get(requestOf({ prompt: 'select_account' }))
    expect(textOf(asked.body)).toContain(`Signed in as ${invitee.email}`)
  })

  // [threat 35.1]
  it('joins no one by a press that another site, another browser or another user sends', async () => {
    const [invitee, other] = [await signedIn(), await signedIn()]
    const { link, members } = await invited(invitee.email)
    const page = await visit(invitee.visitor, link)
    const fields = formFields(page.body)
    const foreign = await visit(invitee.visitor, link, fields, { origin: 'https://evil.example.com' })
    const planted = await visit(browser(), link, fields)
    const [, csrf = ''] =
      /name="csrf" value="([^"]+)"/.exec((await other.visitor.get(requestOf({ prompt: 'login' }))).body) ?? []
    const borrowed = await visit(invitee.visitor, link, { ...fields, csrf })
    expect([foreign.status, planted.status, borrowed.status]).toEqual([403, 403, 403])
    const pressed = await visit(other.visitor, link, { ...fields, csrf })
    expect(textOf(pressed.body)).toContain(`Signed in as ${other.email} The invitation is for ${invitee.email} .`)
    expect((await members()).members).toHaveLength(1)
  })

  it('asks for the password again if the session has ended meanwhile', async () => {
    const { visitor, email, username } = await signedIn()
    const { link, members } = await invited(email)
    const page = await visit(visitor, link)
    await fill('forgot_password', { email })
    await send(browser(), await linkMailedTo(email), await visit(browser(), await linkMailedTo(email)), {
      password: OTHER_PASSWORD,
    })
    const again = await send(visitor, link, page)
    expect([again.status, textOf(again.body)]).toEqual([200, expect.stringContaining('Sign in to join.')])
    expect((await members()).members).toHaveLength(1)
    expect((await send(visitor, link, again, { password: OTHER_PASSWORD })).status).toBe(200)
    expect((await members()).members).toContainEqual(expect.objectContaining({ username }))
  })
})

describe('A form that joins by a password', () => {
  const isSignedIn = async (visitor: Visitor) =>
    (await visitor.get(requestOf({ prompt: 'none' }))).location?.includes('error=login_required') === false

  it.each([
    ['of a new account', async () => newcomer()],
    [
      'of an account that was never verified',
      async () => ({ ...(await registered()), ...{ username: newcomer().username } }),
    ],
    ['of an account', verified],
  ])('signs in the browser that sends it: %s', async (_, person) => {
    const [someUser, visitor] = [await person(), browser()]
    const { link } = await invited(someUser.email)
    const done = await send(visitor, link, await visit(visitor, link), newMember(someUser))
    expect([done.status, await isSignedIn(visitor)]).toEqual([200, true])
  })

  // [threat 31.2]
  it('signs in no one if another site sends it: the invitation may be the attacker’s own', async () => {
    const [someUser, visitor] = [newcomer(), browser()]
    const { link } = await invited(someUser.email)
    const fields = { ...formFields((await visit(visitor, link)).body), ...newMember(someUser) }
    const done = await visit(visitor, link, fields, { 'sec-fetch-site': 'cross-site' })
    expect([done.status, await isSignedIn(visitor)]).toEqual([200, false])
  })
})

describe('An invitation that cannot be accepted', () => {
  /** Expects the same page for opening the link and for a form that was opened before. */
  async function expectPage(link: string, page: Met, text: RegExp) {
    const someUser = newcomer()
    const met = [
      await visit(browser(), link),
      await send(browser(), link, page, { ...newMember(someUser), password: OTHER_PASSWORD }),
    ]
    for (const { status, body } of met) {
      expect([status, textOf(body)]).toEqual([400, expect.stringMatching(text)])
      expect(linksIn(body)).toEqual({ 'Open Console': application() })
    }
    expect(await statusOfSignIn(someUser.email, OTHER_PASSWORD)).toBe(400)
  }

  it('is unknown: the page says what to do', async () => {
    const { link } = await invited(newcomer().email)
    const page = await visit(browser(), link)
    const unknown = '/api/auth/link?purpose=invitation&token=unknown'
    await expectPage(
      unknown,
      { ...page, body: page.body.replace(/name="token" value="[^"]*"/, 'name="token" value="unknown"') },
      /^This invitation is not valid .*copied the whole link/,
    )
  })

  it('was withdrawn', async () => {
    const { link, id, invitationId } = await invited(newcomer().email)
    const page = await visit(browser(), link)
    expect((await asOwner('DELETE', `/api/organizations/${id}/invitations/${invitationId}`)).status).toBe(204)
    await expectPage(link, page, /^This invitation no longer works .*withdrawn or replaced/)
  })

  it('was replaced by a newer one', async () => {
    const { link, invite } = await invited(newcomer().email)
    const page = await visit(browser(), link)
    await invite()
    await expectPage(link, page, /^This invitation no longer works /)
  })

  it('was accepted', async () => {
    const someUser = newcomer()
    const { link } = await invited(someUser.email)
    const page = await visit(browser(), link)
    await join(link, newMember(someUser))
    await expectPage(link, page, /^This invitation was already accepted /)
  })

  it('has expired', async () => {
    const { link } = await invited(newcomer().email)
    const page = await visit(browser(), link)
    await pages.advance(7 * 24 * 3600 + 1)
    await expectPage(link, page, /^This invitation has expired Ask the person who invited you/)
  })
})

describe('The mail of an invitation', () => {
  it('is in the language of the inviter’s request', async () => {
    const { email } = newcomer()
    const token = (await client().signIn('owner')).access_token
    const { organization_id } = stack().info.demo
    await fetch(`${stack().info.base_url}/api/organizations/${organization_id}/invitations`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'accept-language': 'de' },
      body: JSON.stringify({ email, role: 'member' }),
    })
    const [mail] = await mailsTo(email)
    expect(mail?.subject).toBe('Sie sind in eine Organisation eingeladen')
    expect(mail?.text).toContain('Wenn Sie noch kein Konto haben')
  })

  it('and its page reveal nothing to who asks for an account otherwise', async () => {
    const { email } = newcomer()
    await invited(email)
    const sent = await fill('forgot_password', { email })
    expect(textOf(sent.body)).toMatch(/^Check your email /)
  })
})
