import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { describe, expect, it } from '@jest/globals'
import { secretKey } from '../support/openEmulator.ts'
import { openReceiver } from '../support/openReceiver.ts'
import { refusal } from '../support/refusal.ts'
import { waitUntil } from '../support/useBrowser.ts'
import { useTab } from '../support/useTab.ts'
import { controlsOf, openPage } from './openPage.ts'

const { describeInBrowser, opened } = useTab('page/page', openPage)

describeInBrowser('The emulator page', () => {
  describe('Given purchases, and a minute in which nothing happens', () => {
    it('loads under 50 KB in the minute', async () => {
      for (const _ of Array(5)) await opened().buy()
      const session = await opened().page.context().newCDPSession(opened().page)
      await session.send('Network.enable')
      await opened().page.waitForTimeout(3000)
      let bytes = 0
      session.on('Network.loadingFinished', ({ encodedDataLength }) => {
        bytes += encodedDataLength
      })
      await opened().page.waitForTimeout(10_000)
      await session.detach()
      process.stderr.write(`The idle page of the emulator loads ${Math.round((bytes * 6) / 1000)} KB a minute\n`)
      expect(bytes).toBeGreaterThan(0)
      expect(bytes * 6).toBeLessThan(50_000)
    })

    it('does not jump while it opens', async () => {
      for (const _ of Array(5)) await opened().buy()
      await opened().page.addInitScript(
        "window.shift = 0; new PerformanceObserver((list) => { for (const entry of list.getEntries()) window.shift += entry.value }).observe({ type: 'layout-shift', buffered: true })",
      )
      await opened().page.reload()
      await opened().page.locator('#subscriptions li').first().waitFor()
      await opened().page.waitForTimeout(2000)
      const shift = Number(await opened().page.evaluate('window.shift'))
      process.stderr.write(`The page of the emulator shifts by ${shift.toFixed(3)} while it opens\n`)
      expect(shift).toBeLessThan(0.1)
    })
  })

  describe('Given a purchase', () => {
    it('shows customer, subscription, invoice, request with its key and events, without a reload', async () => {
      const { id, customer } = await opened().buy()
      const subscription = opened().subscription(id)
      await subscription.getByText('active', { exact: true }).waitFor()
      expect(await subscription.getByRole('img').getAttribute('aria-label')).toMatch(/^created .*: paid; Renews /)
      await opened().row('customers', String(customer)).getByText('1 live of 1').waitFor()
      await opened().row('invoices', 'paid').getByText('$49.00').first().waitFor()
      await opened().row('requests', `buy-${customer}`).getByText('/v1/subscriptions').waitFor()
      await opened().row('events', 'customer.subscription.created').getByText(id).waitFor()
    })

    it('marks a call of Stripe.js, by its publishable key', async () => {
      const authorization = 'Bearer pk_test_local'
      const body = 'type=card&card[number]=4242424242424242&card[exp_month]=1&card[exp_year]=40'
      await fetch(`${opened().apiBase}/v1/payment_methods`, { method: 'POST', headers: { authorization }, body })
      await opened().row('requests', '/v1/payment_methods').getByText('Stripe.js').waitFor()
    })

    it('marks a replayed answer', async () => {
      const create = () => opened().stripe.customers.create({ name: 'A' }, { idempotencyKey: 'twice' })
      expect((await create()).id).toBe((await create()).id)
      await opened().row('requests', 'twice').getByText('replayed').waitFor()
      expect(await opened().row('requests', 'twice').count()).toBe(2)
    })
  })

  describe('Given a press on a clock button', () => {
    it('advances the clock and renews subscriptions', async () => {
      const { id } = await opened().buy()
      const before = opened().core.now()
      const first = await opened().subscription(id).locator('.hint').textContent()
      await opened().button('+1 month').click()
      await opened().said('It is now')
      expect(opened().core.now() - before).toBeGreaterThanOrEqual(28 * 86_400)
      await opened().subscription(id).locator('.period.draft').waitFor()
      await opened().button('+1 hour').click()
      await opened().subscription(id).locator('.period.paid').nth(1).waitFor()
      expect(await opened().subscription(id).locator('.hint').textContent()).not.toBe(first)
      expect((await opened().stripe.invoices.list()).data.map((row) => row.status)).toEqual(['paid', 'paid'])
    })

    it('advances by what is typed in', async () => {
      const before = opened().core.now()
      await opened().page.getByLabel('Advance by').fill('3')
      await opened().button('Advance').click()
      await opened().said('It is now')
      expect(opened().core.now() - before).toBeGreaterThanOrEqual(3 * 86_400)
    })
  })

  describe('Given webhooks that are held', () => {
    it('shows the waiting deliveries, and a flush sends every copy', async () => {
      const receiver = await openReceiver()
      try {
        opened().core.registerWebhookEndpoint({ url: receiver.url, secret: 'whsec_page' })
        await opened().page.getByRole('radio', { name: 'Hold' }).check()
        await opened().said('New events are held.')
        await opened().stripe.customers.create({ name: 'A' })
        await opened().row('events', 'customer.created').getByText('held').waitFor()
        await opened().page.getByText('Webhooks held: 1').waitFor()
        expect(receiver.received).toEqual([])
        await opened().page.getByLabel('Copies').fill('3')
        await opened().button('Flush').click()
        await opened().said('3 webhooks sent.')
        expect(receiver.received).toHaveLength(3)
        await opened().row('events', 'customer.created').getByText('200').waitFor()
      } finally {
        await receiver.close()
      }
    })
  })

  describe('Given a pending 3-D Secure step', () => {
    it('makes the subscription active when it is confirmed', async () => {
      const { id } = await opened().buy('pm_card_authenticationRequired')
      await opened().subscription(id).getByText('incomplete', { exact: true }).waitFor()
      await opened()
        .button(/^Confirm: Payment of \$49.00/)
        .click()
      await opened().subscription(id).getByText('active', { exact: true }).waitFor()
      await opened().page.getByText('3-D Secure is waiting').waitFor({ state: 'hidden' })
      expect(await opened().page.evaluate('document.activeElement.id')).toBe('main')
      expect((await opened().stripe.subscriptions.retrieve(id)).status).toBe('active')
    })

    it('leaves the subscription incomplete when it fails', async () => {
      const { id } = await opened().buy('pm_card_authenticationRequired')
      await opened()
        .button(/^Fail: Payment of \$49.00/)
        .click()
      await opened().said('3-D Secure has failed.')
      expect((await opened().stripe.subscriptions.retrieve(id)).status).toBe('incomplete')
    })
  })

  describe('Given a fault planted in the form', () => {
    it('applies to the next matching request only', async () => {
      await opened().page.getByLabel('Path').fill('/v1/customers')
      await opened().page.getByLabel('Status', { exact: true }).fill('503')
      await opened().button('Plant fault').click()
      await opened().page.getByText('POST /v1/customers: answers 503, 1 time').waitFor()
      expect(await refusal(opened().stripe.customers.create({ name: 'A' }))).toMatchObject({ statusCode: 503 })
      await opened().row('requests', '/v1/customers').getByText('503').waitFor()
      await opened().page.getByText('No fault is planted.').waitFor()
    })

    it('is removed by "Clear faults"', async () => {
      await opened().page.getByLabel('What happens').selectOption('delay')
      await opened().page.getByLabel('Milliseconds late').fill('60000')
      await opened().button('Plant fault').click()
      await opened().button('Clear faults').click()
      await opened().page.getByText('No fault is planted.').waitFor()
      expect((await opened().buy()).status).toBe('active')
    })
  })

  describe('Given a broken money rule', () => {
    it('shows an alert with the requests that led to it', async () => {
      const terms = { organization_id: 'org_1', product: 'ota' }
      await opened().buy('pm_card_visa', terms)
      await refusal(opened().buy('pm_card_visa', terms))
      const alert = opened().page.getByRole('alert')
      await alert.getByText('1 money rule broken').waitFor()
      await alert.getByText('The last').click()
      await alert.getByText('POST /v1/subscriptions').first().waitFor()
      expect(await opened().page.title()).toContain('1 broken')
    })
  })

  describe('Given text typed while the page refreshes', () => {
    it('keeps the text, the focus and where the page is scrolled to', async () => {
      for (const name of ['A', 'B', 'C']) await opened().stripe.customers.create({ name })
      const field = opened().page.getByLabel('Path')
      await field.fill('/v1/half-typ')
      await opened().page.mouse.move(900, 500)
      await opened().page.mouse.wheel(0, 120)
      await waitUntil(opened().page, 'scrollY > 0')
      const scrolled = await opened().page.evaluate('scrollY')
      await opened().stripe.products.create({ name: 'New' })
      await opened().row('events', 'product.created').first().waitFor()
      await opened().row('requests', '/v1/products').first().waitFor()
      expect(await field.inputValue()).toBe('/v1/half-typ')
      expect(await opened().page.evaluate('document.activeElement.name')).toBe('path')
      expect(await opened().page.evaluate('scrollY')).toBe(scrolled)
    })

    it('keeps the focus on a button in a table that grows', async () => {
      const { id } = await opened().stripe.customers.create({ name: 'First' })
      await opened().button(`Inspect ${id}`).first().focus()
      await opened().stripe.customers.create({ name: 'Second' })
      await opened().row('customers', 'Second').waitFor()
      expect(await opened().page.evaluate('document.activeElement.dataset.inspect')).toBe(id)
    })
  })

  describe('Given an id', () => {
    it('opens its object and narrows the page to what names it', async () => {
      const { id, customer } = await opened().buy()
      await opened().buy()
      await opened().row('customers', String(customer)).getByRole('button').click()
      const dialog = opened().page.getByRole('dialog')
      expect(await dialog.getByRole('textbox').inputValue()).toContain(`"id": "${customer}"`)
      await dialog.getByRole('button', { name: 'Show what names it' }).click()
      await opened().subscription(id).waitFor()
      expect(await opened().page.locator('#subscriptions .rows > li').count()).toBe(1)
    })
  })

  describe('Given a request', () => {
    it('copies it as a command of curl that does the same', async () => {
      const { stripe, page } = opened()
      await stripe.customers.create({ name: "Ada's", metadata: { team: 'x & y' } }, { idempotencyKey: 'once' })
      await opened().row('requests', '/v1/customers').getByRole('button').first().click()
      await page.getByRole('button', { name: 'Copy as curl' }).click()
      const command = await page.getByRole('dialog').getByRole('textbox').inputValue()
      const { stdout: answer } = await promisify(execFile)(
        'sh',
        ['-c', command.replace('curl', 'curl --silent --include')],
        {
          env: { ...process.env, STRIPE_KEY: secretKey },
        },
      )
      expect(answer).toMatch(/idempotent-replayed: true/i)
      expect(answer).toContain(`"name": "Ada's"`)
      expect(answer).toContain('"team": "x & y"')
    })
  })

  describe('Given an object', () => {
    it('tells its story: requests, events, and what they are about, each open to a look', async () => {
      const { id, customer } = await opened().buy()
      await opened().stripe.subscriptions.update(id, { cancel_at_period_end: true })
      await opened().subscription(id).waitFor()
      await opened().row('customers', String(customer)).getByRole('button').click()
      const story = opened().page.getByRole('list', { name: 'Its story' })
      const told = await story.locator('strong, .strong').allTextContents()
      expect(told[0]).toBe('POST /v1/customers 200')
      expect(told).toEqual(expect.arrayContaining(['POST /v1/subscriptions 200', 'charge.succeeded', 'invoice.paid']))
      expect(told.at(-1)).toBe('customer.subscription.updated')
      await story
        .getByRole('button', { name: `Inspect ${id}` })
        .first()
        .click()
      const shown = await opened().page.getByRole('dialog').getByRole('textbox').inputValue()
      expect(shown).toContain(`"id": "${id}"`)
    })
  })

  describe('Given a reset', () => {
    it('asks for confirmation, then resets the emulator', async () => {
      await opened().buy()
      await opened().button('Reset…').click()
      await opened().button('Cancel').click()
      expect((await opened().stripe.customers.list()).data).toHaveLength(1)
      await opened().button('Reset…').click()
      await opened()
        .button(/^Reset$/)
        .click()
      await opened().page.getByText('No subscriptions yet.').waitFor()
      expect((await opened().stripe.customers.list()).data).toEqual([])
    })
  })

  describe('Given a name that is markup', () => {
    it('shows it as text', async () => {
      await opened().stripe.customers.create({ name: '<img src=x onerror=alert(1)>' })
      await opened().row('customers', '<img src=x').waitFor()
      expect(await opened().page.locator('main img').count()).toBe(0)
    })
  })

  describe('Given every section filled', () => {
    it('names every control, sends requests to the emulator only and logs no error', async () => {
      await opened().buy('pm_card_authenticationRequired')
      await opened()
        .button(/^Confirm: /)
        .waitFor()
      await opened().page.locator('#requests tbody tr').first().waitFor()
      for (const kind of ['status', 'delay']) {
        await opened().page.getByLabel('What happens').selectOption(kind)
        const controls = await controlsOf(opened().page)
        expect(controls.length).toBeGreaterThan(25)
        expect(controls.filter(({ name }) => name === '')).toEqual([])
      }
      expect([...opened().overheard.origins]).toEqual([opened().apiBase])
      expect(opened().overheard.errors).toEqual([])
      expect(opened().headers['content-security-policy']).toBe("default-src 'self'")
    })

    it.each([360, 800, 1280])('fits %i pixels', async (width) => {
      const terms = { organization_id: 'org_1', product: 'ota' }
      await opened().buy('pm_card_visa', terms)
      await refusal(opened().buy('pm_card_visa', terms))
      await opened().stripe.customers.create({ name: 'A'.repeat(60), email: `${'a'.repeat(60)}@example.com` })
      await opened().page.setViewportSize({ width, height: 740 })
      await opened().row('invoices', 'paid').first().waitFor()
      await opened().page.getByRole('alert').waitFor()
      await opened().row('customers', 'AAAAAAAA').waitFor()
      expect(await opened().page.evaluate('document.documentElement.scrollWidth')).toBe(width)
    })
  })
})
