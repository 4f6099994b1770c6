import type Stripe from 'stripe'
import { words } from '../params/words.ts'

type TaxIdType = Stripe.TaxIdCreateParams.Type

/** The characters after the country code of an `eu_vat`, by country; `EL` is Greece, `XI` Northern Ireland. */
const europeanVat: Record<string, RegExp> = {
  AT: /^U\d{8}$/,
  BE: /^[01]\d{9}$/,
  BG: /^\d{9,10}$/,
  CY: /^\d{8}[A-Z]$/,
  CZ: /^\d{8,10}$/,
  DE: /^\d{9}$/,
  DK: /^\d{8}$/,
  EE: /^\d{9}$/,
  EL: /^\d{9}$/,
  ES: /^[A-Z0-9]\d{7}[A-Z0-9]$/,
  FI: /^\d{8}$/,
  FR: /^[A-Z0-9]{2}\d{9}$/,
  HR: /^\d{11}$/,
  HU: /^\d{8}$/,
  IE: /^\d[A-Z0-9+*]\d{5}[A-Z]{1,2}$/,
  IT: /^\d{11}$/,
  LT: /^(\d{9}|\d{12})$/,
  LU: /^\d{8}$/,
  LV: /^\d{11}$/,
  MT: /^\d{8}$/,
  NL: /^\d{9}B\d{2}$/,
  PL: /^\d{10}$/,
  PT: /^\d{9}$/,
  RO: /^\d{2,10}$/,
  SE: /^\d{12}$/,
  SI: /^\d{8}$/,
  SK: /^\d{10}$/,
  XI: /^(\d{9}|\d{12}|GD\d{3}|HA\d{3})$/,
}

/**
 * What values of the common types look like, and their country (https://docs.stripe.com/billing/customer/tax-ids). Any other type takes
 * any value.
 */
const formats: Partial<Record<string, { pattern: RegExp; country: string | null }>> = {
  ae_trn: { pattern: /^\d{15}$/, country: 'AE' },
  au_abn: { pattern: /^\d{11}$/, country: 'AU' },
  br_cnpj: { pattern: /^\d{2}\.?\d{3}\.?\d{3}\/?\d{4}-?\d{2}$/, country: 'BR' },
  br_cpf: { pattern: /^\d{3}\.?\d{3}\.?\d{3}-?\d{2}$/, country: 'BR' },
  ca_bn: { pattern: /^\d{9}$/, country: 'CA' },
  ca_gst_hst: { pattern: /^\d{9}RT\d{4}$/, country: 'CA' },
  ca_qst: { pattern: /^\d{10}TQ\d{4}$/, country: 'CA' },
  ch_uid: { pattern: /^CHE-?\d{3}\.?\d{3}\.?\d{3}( HR)?$/, country: 'CH' },
  ch_vat: { pattern: /^CHE-?\d{3}\.?\d{3}\.?\d{3} ?(MWST|TVA|IVA)$/, country: 'CH' },
  de_stn: { pattern: /^\d{10,13}$/, country: 'DE' },
  es_cif: { pattern: /^[A-Z]\d{7}[A-Z0-9]$/, country: 'ES' },
  eu_oss_vat: { pattern: /^EU\d{9}$/, country: null },
  gb_vat: { pattern: /^(GB)?(\d{9}|\d{12}|GD\d{3}|HA\d{3})$/, country: 'GB' },
  hk_br: { pattern: /^\d{8}$/, country: 'HK' },
  il_vat: { pattern: /^\d{9}$/, country: 'IL' },
  in_gst: { pattern: /^\d{2}[A-Z]{5}\d{4}[A-Z][A-Z0-9]{3}$/, country: 'IN' },
  jp_cn: { pattern: /^\d{13}$/, country: 'JP' },
  jp_trn: { pattern: /^T\d{13}$/, country: 'JP' },
  kr_brn: { pattern: /^\d{3}-?\d{2}-?\d{5}$/, country: 'KR' },
  mx_rfc: { pattern: /^[A-Z&]{3,4}\d{6}[A-Z0-9]{3}$/, country: 'MX' },
  no_vat: { pattern: /^\d{9}MVA$/, country: 'NO' },
  nz_gst: { pattern: /^\d{8,9}$/, country: 'NZ' },
  sg_gst: { pattern: /^M\d{8}[A-Z]$/, country: 'SG' },
  sg_uen: { pattern: /^\d{8,9}[A-Z]$/, country: 'SG' },
  us_ein: { pattern: /^\d{2}-\d{7}$/, country: 'US' },
  za_vat: { pattern: /^4\d{9}$/, country: 'ZA' },
}

/** Every type of tax id. */
export const taxIdTypes = words(
  'ad_nrt ae_trn al_tin am_tin ao_tin ar_cuit au_abn au_acn au_arn au_wpn aw_tin az_tin ba_tin bb_tin',
  'bd_bin bf_ifu bg_uic bh_vat bj_ifu bo_tin br_cnpj br_cpf bs_tin bw_vat by_tin ca_bn ca_gst_hst ca_pst_bc',
  'ca_pst_mb ca_pst_sk ca_qst cd_nif ch_uid ch_vat ci_vat cl_tin cm_niu cn_tin co_nit cr_tin cv_nif cz_dic',
  'de_stn do_rcn ec_ruc eg_tin es_cif et_tin eu_oss_vat eu_vat fo_vat fr_siren fr_siret fr_spi gb_vat',
  'ge_vat gh_tin gi_tin gn_nif hk_br hr_oib hu_tin ic_nif id_npwp il_vat in_gst is_kt is_vat it_cf jp_cn',
  'jp_rn jp_trn ke_pin kg_tin kh_tin kr_brn kz_bin la_tin li_uid li_vat lk_vat ma_vat md_cf md_vat me_pib',
  'mk_vat mr_nif mu_vat mx_rfc my_frp my_itn my_sst mz_nuit ng_tin no_vat no_voec np_pan nz_bn nz_gst',
  'om_vat pe_ruc ph_tin pl_nip pt_nif py_ruc ro_tin rs_pib ru_inn ru_kpp sa_vat sg_gst sg_uen si_tin sm_coe',
  'sn_ninea sr_fin sv_nit th_vat tj_tin tr_tin tt_bir tt_vat tw_vat tz_vat ua_vat ug_tin us_ein uy_ruc',
  'uz_tin uz_vat ve_rif vn_tin za_vat zm_tin zw_tin',
) satisfies readonly TaxIdType[]

/** The country of a tax id; null if its type has none; undefined if the value does not look like its type. */
export function taxIdCountry(type: (typeof taxIdTypes)[number], value: string): string | null | undefined {
  if (type === 'eu_vat') {
    const country = value.slice(0, 2)
    if (!(europeanVat[country]?.test(value.slice(2)) ?? false)) return undefined
    return country === 'EL' ? 'GR' : country === 'XI' ? 'GB' : country
  }
  const format = formats[type]
  if (format === undefined) return type.slice(0, 2).toUpperCase()
  return format.pattern.test(value) ? format.country : undefined
}
