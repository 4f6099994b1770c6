import { couponProtocol } from '../couponProtocol.ts'
import { describeGuarded, describeUnguarded, isAtMost } from '../describeProtocol.ts'
import { couponGuards } from './guards.ts'
import { couponRemovals, guardedCoupons } from './removedGuards.ts'

const described = { subject: 'The coupon protocol', guarded: guardedCoupons }
const holds = 'uses a coupon once, gives it back on every refusal and records it'
describeGuarded(described, holds, couponProtocol)
describeUnguarded(
  described,
  couponGuards,
  couponRemovals,
  couponProtocol,
  (bounds, wider) => bounds.organizations === wider.organizations && isAtMost(bounds, wider),
)
