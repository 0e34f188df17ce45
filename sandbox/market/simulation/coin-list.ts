/** Real names, invented figures, larger ones first. Simulated prices vary around the prices here. */

export interface ListedCoin {
  id: string;
  /** Lower case, as in the real list. */
  symbol: string;
  name: string;
  basePrice: number;
  /** The asset whose price it follows one to one: `bitcoin`, `usd` ... */
  follows: string | null;
}

/** Ids that differ from the name in lower case with dashes. */
const IDS: Readonly<Record<string, string>> = {
  xrp: 'ripple',
  bnb: 'binancecoin',
  usdc: 'usd-coin',
  avax: 'avalanche-2',
  ton: 'the-open-network',
  near: 'near',
  sei: 'sei-network',
  wbtc: 'wrapped-bitcoin',
};

const FOLLOWS: Readonly<Record<string, string>> = {
  wbtc: 'bitcoin',
  cbbtc: 'bitcoin',
  steth: 'ethereum',
  weth: 'ethereum',
  paxg: 'tether-gold',
  usdt: 'usd',
  usdc: 'usd',
  dai: 'usd',
  usde: 'usd',
  usds: 'usd',
  pyusd: 'usd',
  fdusd: 'usd',
  tusd: 'usd',
};

const ROWS = `
btc Bitcoin 100000|eth Ethereum 3500|usdt Tether 1|xrp XRP 2.4|bnb BNB 900|sol Solana 180|usdc USDC 1|steth Lido Staked Ether 3500
doge Dogecoin 0.22|ada Cardano 0.62|trx TRON 0.3|wbtc Wrapped Bitcoin 100000|link Chainlink 17|usde Ethena USDe 1|xlm Stellar 0.31
hype Hyperliquid 42|bch Bitcoin Cash 520|sui Sui 2.5|weth WETH 3500|avax Avalanche 19|leo LEO Token 9.4|ltc Litecoin 98|usds USDS 1
cbbtc Coinbase Wrapped BTC 100000|hbar Hedera 0.18|shib Shiba Inu 0.00001|ton Toncoin 2.1|dai Dai 1|cro Cronos 0.13|dot Polkadot 3.1
xmr Monero 340|zec Zcash 420|tao Bittensor 400|mnt Mantle 1.6|uni Uniswap 6.4|aave Aave 210|pepe Pepe 0.0000065|ena Ethena 0.37
near NEAR Protocol 2.4|okb OKB 140|bgb Bitget Token 4.6|apt Aptos 3.4|etc Ethereum Classic 16|ondo Ondo 0.65|pol Polygon 0.19
icp Internet Computer 5|wld Worldcoin 0.8|pi Pi Network 0.23|kcs KuCoin Token 14|arb Arbitrum 0.3|algo Algorand 0.18|atom Cosmos Hub 3
vet VeChain 0.016|kas Kaspa 0.055|render Render 2.4|fil Filecoin 1.9|pyusd PayPal USD 1|sei Sei 0.19|bonk Bonk 0.000013
trump Official Trump 7.5|jup Jupiter 0.38|qnt Quant 82|op Optimism 0.43|gt Gate 10|pengu Pudgy Penguins 0.016|imx Immutable 0.47
cake PancakeSwap 2.6|fet Artificial Superintelligence Alliance 0.27|inj Injective 7.6|stx Stacks 0.4|crv Curve DAO 0.52|grt The Graph 0.065
ldo Lido DAO 0.9|fdusd First Digital USD 1|tusd TrueUSD 1|xdc XDC Network 0.06|floki FLOKI 0.000067|paxg PAX Gold 4100|xaut Tether Gold 4100
aero Aerodrome Finance 0.95|tia Celestia 0.95|strk Starknet 0.13|ens Ethereum Name Service 14|sand The Sandbox 0.2|iota IOTA 0.14
cfx Conflux 0.1|flow Flow 0.27|pyth Pyth Network 0.1|jasmy JasmyCoin 0.0095|wif dogwifhat 0.5|theta Theta Network 0.54|mana Decentraland 0.24
pendle Pendle 3.1|nexo NEXO 1.2|xtz Tezos 0.6|gala GALA 0.011|bsv Bitcoin SV 22|spx SPX6900 0.75|syrup Maple Finance 0.44
btt BitTorrent 0.0000005|jto Jito 1.1|hnt Helium 2.3|dydx dYdX 0.31|rune THORChain 0.95|comp Compound 41|ray Raydium 1.8
axs Axie Infinity 1.4|ar Arweave 4.5|egld MultiversX 9.9|ape ApeCoin 0.38|neo NEO 5.2|eigen EigenCloud 0.95|core Core 0.26
fartcoin Fartcoin 0.33|w Wormhole 0.07|zk ZKsync 0.05|morpho Morpho 1.9|s Sonic 0.14|kaia Kaia 0.1|xec eCash 0.000014
chz Chiliz 0.033|mina Mina Protocol 0.12|zro LayerZero 1.6|snx Synthetix Network 0.9|ksm Kusama 11|1inch 1inch 0.2|brett Brett 0.028
dexe DeXe 7.1|cvx Convex Finance 2.2|sfp SafePal 0.39|blur Blur 0.045|gno Gnosis 130|twt Trust Wallet 1.2|rose Oasis 0.019
lpt Livepeer 5.1|zil Zilliqa 0.0075|dash Dash 70|bat Basic Attention 0.19|glm Golem 0.21|zrx 0x Protocol 0.2|super SuperVerse 0.4
qtum Qtum 1.9|celo Celo 0.25|yfi yearn.finance 4700|astr Astar 0.014|hot Holo 0.0006|woo WOO 0.038|1000sats SATS 0.00000002
rvn Ravencoin 0.0088|mog Mog Coin 0.0000004|akt Akash Network 0.72|ankr Ankr Network 0.0098|gas Gas 2.4|enj Enjin Coin 0.038
turbo Turbo 0.002|dcr Decred 27|iotx IoTeX 0.016|sys Syscoin 0.03|storj Storj 0.17|sc Siacoin 0.0021|lrc Loopring 0.065
popcat Popcat 0.13|mew cat in a dogs world 0.0017|kmno Kamino 0.062|io io.net 0.24|uma UMA 1|band Band 0.45|skl SKALE 0.016
ssv ssv.network 5.2|mask Mask Network 0.77|elf aelf 0.14|id SPACE ID 0.1|coti COTI 0.031|api3 API3 0.6|magic Magic 0.12|ctsi Cartesi 0.05
audio Audius 0.036|rlc iExec RLC 0.8|sushi Sushi 0.45|rsr Reserve Rights 0.0047|knc Kyber Network 0.29|bal Balancer 0.8|ygg Yield Guild 0.11
metis Metis 9|nmr Numeraire 12|cspr Casper 0.0069|ont Ontology 0.085|icx ICON 0.08|lsk Lisk 0.25|people ConstitutionDAO 0.013
acx Across Protocol 0.07|powr Powerledger 0.11|req Request 0.13|mtl Metal DAO 0.5|oxt Orchid 0.042|dent Dent 0.0004|celr Celer 0.0048
cvc Civic 0.06|alice My Neighbor Alice 0.26|slp Smooth Love Potion 0.0011|tlm Alien Worlds 0.003|bnt Bancor 0.55|rif Rootstock 0.042
ordi ORDI 5.4|trb Tellor 28|gods Gods Unchained 0.075|ilv Illuvium 9|perp Perpetual 0.15|rad Radworks 0.5|badger Badger 0.7
pond Marlin 0.006|dodo DODO 0.03|alpha Stella 0.014|auction Bounce 6.2|arpa ARPA 0.016|cyber Cyber 0.95|edu Open Campus 0.11
hook Hooked 0.055|arkm Arkham 0.28|memecoin Memecoin 0.0015|bigtime Big Time 0.03|tru TrueFi 0.02|xai Xai 0.03|manta Manta 0.12
alt AltLayer 0.019|dym Dymension 0.12|pixel Pixels 0.013|portal Portal 0.026|aevo Aevo 0.06|ethfi ether.fi 0.95|saga Saga 0.09
tnsr Tensor 0.12|omni Omni 2|rez Renzo 0.009|bb BounceBit 0.1|not Notcoin 0.0009|lista Lista DAO 0.2|zeta ZetaChain 0.1
blast Blast 0.0013|dogs DOGS 0.00007|cati Catizen 0.07|hmstr Hamster Kombat 0.0004|eul Euler 6.5|scr Scroll 0.13|cow CoW Protocol 0.25
grass Grass 0.4|goat Goatseus 0.05|pnut Peanut 0.1|act Act I 0.025|move Movement 0.06
`;

const STABLE = 'usd';

/** 250, the maximum of one call. */
export const COINS: readonly ListedCoin[] = ROWS.trim()
  .split(/[|\n]/)
  .map((row) => {
    const [symbol = '', ...rest] = row.split(' ');
    const basePrice = Number(rest.pop());
    const name = rest.join(' ');
    const id = IDS[symbol] ?? name.toLowerCase().replace(/[^a-z0-9]+/g, '-');
    return { id, symbol, name, basePrice, follows: FOLLOWS[symbol] ?? null };
  });

export function isStable(coin: ListedCoin): boolean {
  return coin.follows === STABLE;
}
