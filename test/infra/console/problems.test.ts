import { describe, expect, it } from '@jest/globals'
import { ApiError, ConnectionError } from '../../../infra/client/src/index.ts'
import { fieldProblems } from '../../../infra/console/src/app/fieldProblems.ts'
import { problemOf } from '../../../infra/console/src/app/problem.ts'
import { PaymentError } from '../../../infra/console/src/billing/cards/paymentError.ts'
import { changeOf, fieldOf, formOf } from '../../../infra/console/src/billing/details/detailsForm.ts'
import { english, german } from './localization.ts'

type Answer = ConstructorParameters<typeof ApiError>[0]

const refused = (answer: Partial<Answer>) =>
  new ApiError({
    status: 409,
    code: 'last_owner',
    detail: 'An organization needs an owner',
    requestId: 'r-1',
    retryAfterSeconds: undefined,
    problems: [],
    body: undefined,
    challenge: undefined,
    stepUp: undefined,
    ...answer,
  })

describe('A failure in a customer’s words', () => {
  it('says what to do in each language, with the request id for support', () => {
    const text = 'An organization needs an owner. Make someone else an owner first.'
    expect(problemOf(refused({}), english.texts)).toEqual({ text, requestId: 'r-1' })
    const inGerman = 'Eine Organisation braucht einen Inhaber. Machen Sie zuerst jemand anderen zum Inhaber.'
    expect(problemOf(refused({}), german.texts).text).toBe(inGerman)
  })

  it('is never the API’s own sentence, also for a code that is not known yet', () => {
    const error = refused({})
    Object.assign(error, { code: 'a_newer_code', requestId: undefined })
    expect(problemOf(error, german.texts)).toEqual({ text: german.texts.problems.refused })
  })

  it('is Stripe’s own sentence for a card, and never a program’s for the rest', () => {
    const declined = new PaymentError('set_up_failed', 'Your card was declined.')
    expect(problemOf(declined, german.texts)).toEqual({ text: 'Your card was declined.' })
    expect(problemOf(new PaymentError('set_up_failed'), german.texts).text).toMatch(/^Die Karte/)
    expect(problemOf(new ConnectionError('fetch failed'), english.texts).text).toMatch(/^No connection/)
    expect(problemOf(new TypeError('x is not a function'), english.texts).text).not.toContain('function')
  })

  it('is at the field that a 422 names', () => {
    const problems = [
      { loc: ['body', 'address', 'country'], msg: 'String should match pattern', type: 'string_pattern_mismatch' },
      { loc: ['body', 'name'], msg: 'Field required', type: 'missing' },
      { loc: ['body', 'email'], msg: 'Value error, not an address', type: 'value_error' },
    ]
    const error = refused({ status: 422, code: 'validation_error', problems })
    expect(fieldProblems(error, english.texts, { 'address.country': 'Choose a country.' })).toEqual({
      'address.country': 'Choose a country.',
      name: 'Please fill this in.',
      email: 'Please check this.',
    })
    expect(fieldProblems(refused({ problems }), english.texts)).toEqual({})
    expect(fieldOf('address.country')).toBe('country')
    expect(fieldOf('tax_id.value')).toBe('tax_id_value')
  })

  it('is at the field of a password that is wrong, and of a name that is taken', () => {
    const { wrong_password, username_already_exists } = german.texts.problems.codes
    const refusal = (code: Answer['code']) => fieldProblems(refused({ code }), german.texts)
    expect(refusal('wrong_password')).toEqual({ current_password: wrong_password })
    expect(refusal('username_already_exists')).toEqual({ username: username_already_exists })
  })
})

describe('The form of the billing details', () => {
  const stored = formOf({
    name: 'Acme',
    email: null,
    address: { line1: '1 Main St', line2: null, city: 'Springfield', state: null, postal_code: '12345', country: 'US' },
    tax_id: null,
    gateway: 'card',
    currency: 'usd',
  })

  it('asks only for what was changed, an address as a whole', () => {
    expect(changeOf(stored, stored)).toEqual({})
    expect(changeOf(stored, { ...stored, name: 'Acme Inc.' })).toEqual({ name: 'Acme Inc.' })
    expect(changeOf(stored, { ...stored, city: 'Shelbyville' })).toEqual({
      address: {
        line1: '1 Main St',
        line2: null,
        city: 'Shelbyville',
        state: null,
        postal_code: '12345',
        country: 'US',
      },
    })
  })

  it('deletes an address of which nothing is left, and adds and deletes a tax id', () => {
    const empty = { line1: '', line2: '', city: '', state: '', postal_code: '', country: '' }
    expect(changeOf(stored, { ...stored, ...empty })).toEqual({ address: null })
    const taxed = { ...stored, tax_id_type: 'eu_vat', tax_id_value: ' DE123456789 ' }
    expect(changeOf({ ...taxed }, { ...taxed, tax_id_type: '', tax_id_value: '' })).toEqual({ tax_id: null })
    expect(changeOf(stored, taxed)).toEqual({ tax_id: { type: 'eu_vat', value: 'DE123456789' } })
  })
})
