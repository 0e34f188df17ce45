/** Names of coins that people type in full. The others are found by their code. */

const ROWS = `BTC Bitcoin|ETH Ethereum|SOL Solana|DOGE Dogecoin|XRP XRP|BNB BNB|ADA Cardano|TRX TRON|LINK Chainlink|XLM Stellar
HYPE Hyperliquid|BCH Bitcoin Cash|SUI Sui|AVAX Avalanche|LTC Litecoin|HBAR Hedera|SHIB Shiba Inu|TON Toncoin|DOT Polkadot|XMR Monero
ZEC Zcash|TAO Bittensor|UNI Uniswap|AAVE Aave|PEPE Pepe|ENA Ethena|NEAR NEAR Protocol|APT Aptos|ETC Ethereum Classic|ONDO Ondo
POL Polygon|ICP Internet Computer|WLD Worldcoin|ARB Arbitrum|ALGO Algorand|ATOM Cosmos|VET VeChain|KAS Kaspa|RENDER Render|FIL Filecoin
SEI Sei|BONK Bonk|JUP Jupiter|OP Optimism|IMX Immutable|FET Fetch|INJ Injective|STX Stacks|CRV Curve|GRT The Graph|LDO Lido
TIA Celestia|STRK Starknet|SAND The Sandbox|MANA Decentraland|PYTH Pyth|WIF dogwifhat|XTZ Tezos|GALA Gala|DYDX dYdX|RUNE THORChain
MKR Maker|AXS Axie Infinity|EGLD MultiversX|APE ApeCoin|NEO Neo|FLOKI Floki|EOS EOS|KAVA Kava|CHZ Chiliz|1INCH 1inch`;

const NAMES: ReadonlyMap<string, string> = new Map(
  ROWS.split(/[|\n]/).map((row): [string, string] => {
    const end = row.indexOf(' ');
    return [row.slice(0, end), row.slice(end + 1)];
  }),
);

/** Also of a coin that trades by the thousand: 1000PEPE. Null for a coin without a name here. */
export function coinNameOf(base: string): string | null {
  return NAMES.get(base) ?? NAMES.get(base.replace(/^10+(?=[A-Z])/, '')) ?? null;
}
