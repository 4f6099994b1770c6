import { deflateSync, inflateSync } from 'node:zlib'
import * as z from 'zod/mini'

/**
 * The text of most frozen purchases without their ids, as the dictionary of RFC 1950. Stored items need it to unpack:
 * never change it, add a second dictionary if you need another text.
 */
const DICTIONARY = Buffer.from(
  [
    '"automatic_tax":{"enabled":true}"days_until_due":30"discounts":[{"coupon":"{"promotion_code":"promo_',
    '{"items":[{"price":"price_"}],"collection_method":"send_invoice",',
    '{"items":[{"price":"price_"}],"payment_behavior":"allow_incomplete","payment_settings":{"payment_method_types":["card"],',
    '"save_default_payment_method":"on_subscription"},"default_payment_method":"pm_',
    '"},"metadata":{"organization_id":"","product":"remote_ssh","plan_code":"addon_remote_ssh","product":"crash_reporting",',
    '"plan_code":"addon_crash_reporting","product":"monitoring","plan_code":"addon_monitoring","product":"ota","plan_code":"base_ota",',
    '"n":"1","user_id":""},"expand":["latest_invoice.confirmation_secret","latest_invoice.payments"]}',
  ].join(''),
)

/**
 * Packs the frozen request of a claim to about a quarter of its size: DynamoDB charges writes per started KB. zlib's
 * checksum is included, because a replay must not differ by a byte.
 */
export function packFrozenRequest(frozenRequest: string): Uint8Array {
  return deflateSync(frozenRequest, { dictionary: DICTIONARY, level: 9 })
}

/** A stored frozen request, packed, or as text as claims once were. An item that was damaged does not parse. */
export const frozenRequestSchema = z.union([
  z.string(),
  z.pipe(
    z.instanceof(Uint8Array),
    z.transform((packed, { issues }) => {
      try {
        return inflateSync(packed, { dictionary: DICTIONARY }).toString()
      } catch {
        issues.push({ code: 'custom', input: packed, message: 'not a packed request' })
        return z.NEVER
      }
    }),
  ),
])
