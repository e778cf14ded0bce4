// An example engine for Hearts and Domino Hearts, after the law book in `spec/`.
//
// One object is one game; `breaks` judges an act, `apply` does it, `legal` and
// `observe` show the moment. Sections follow the chapters of the book. Left out on
// purpose: kitties, scatter and mix, passing unseen. Beginnings are trusted.

const SUITS = "CDSH";
const RANKS = "23456789TJQKA";
const QUEEN = "QS";
const ANYTIME = ["retract", "quit", "claim"]; // never due, sometimes open
const PHASE_OF = { cut: "cut", deal: "deal", pass: "pass", forward: "pass", mix: "mix",
  draw: "play", play: "play", moon: "moon" };

// ---- 1 Cards

const suit = (card) => card[1];
const rank = (card) => RANKS.indexOf(card[0]);
const place = (card) => SUITS.indexOf(suit(card)) * 13 + rank(card);
const isHeart = (card) => suit(card) === "H";
const isClub = (card) => suit(card) === "C";
const byPlace = (a, b) => place(a) - place(b);
const byRank = (a, b) => rank(a) - rank(b);
const PACK = [...SUITS].flatMap((s) => [...RANKS].map((r) => r + s));

export const readCards = (text) => (text ? text.split(" ") : []);
export const showSet = (cards) => [...cards].sort(byPlace).join(" ");
export const showSequence = (cards) => cards.join(" ");

const without = (cards, gone) => cards.filter((card) => !gone.includes(card));
const nonempty = (cards, otherwise) => (cards.length ? cards : otherwise);
const sameCards = (a, b) => showSet(a) === showSet(b);
const zeros = (n) => new Array(n).fill(0);

export class HeartsGame {
  // `start` is {setup} or {match}; `options` has a value for every option.
  constructor(options, players, { setup, match }) {
    this.options = options;
    this.players = players;
    this.seats = [...zeros(players).keys()];
    this.isMatch = match !== undefined;
    this.result = null; // of the deal: {score, totals, over, reached}
    this.deal = null; // of the deal: everything that begins anew with it
    if (this.isMatch) this.#beginMatch(match);
    else this.#beginSetup(setup);
  }

  copy() {
    const other = Object.create(HeartsGame.prototype);
    return Object.assign(other, structuredClone({ ...this }));
  }

  // ---- 1 Cards, what they are worth

  worth(card) {
    if (isHeart(card)) return this.options.heart_points;
    return card === QUEEN ? this.options.queen_points : 0;
  }

  isPenalty(card) {
    return this.worth(card) !== 0;
  }

  pointsOf(cards) {
    return cards.reduce((sum, card) => sum + this.worth(card), 0);
  }

  // ---- 2 The table

  left(seat) {
    return (seat + 1) % this.players;
  }

  nextInPlay(seat) {
    const step = this.options.direction === "clockwise" ? 1 : this.players - 1;
    do seat = (seat + step) % this.players; while (this.deal.out.includes(seat));
    return seat;
  }

  turn() {
    switch (this.phase) {
      case "cut": return this.cut.seats.filter((seat) => !this.cut.cards[seat]);
      case "deal": return [this.dealer];
      case "pass": return this.seats.filter((seat) => !this.deal.passed[seat]);
      case "play": return [this.deal.turn];
      case "moon": return [this.shooter()];
      default: return [];
    }
  }

  #beginMatch({ dealer, pack }) {
    this.named = pack ? readCards(pack) : null;
    this.totals = zeros(this.players);
    this.reached = false;
    this.number = 1;
    this.cut = { seats: dealer === undefined ? this.seats : [], cards: {}, before: {} };
    this.dealer = dealer ?? -1;
    this.phase = dealer === undefined ? "cut" : "deal";
  }

  #beginSetup(setup) {
    this.totals = setup.totals ?? zeros(this.players);
    this.reached = setup.limit_reached ?? false;
    this.number = setup.deal;
    this.cut = { seats: [], cards: {}, before: {} };
    this.dealer = setup.dealer;
    const hands = setup.hands.map(readCards);
    const stock = readCards(setup.stock);
    const none = this.seats.map(() => "");
    const taken = (setup.taken ?? none).map(readCards);
    const table = readCards(setup.trick);
    this.#beginDeal(hands, stock, [...hands, ...taken, stock, table].flat());
    if (setup.leader === undefined) return this.#beginPassOrPlay();
    Object.assign(this.deal, {
      taken, tricks: setup.tricks ?? zeros(this.players), out: setup.out ?? [],
      leader: setup.leader, turn: setup.leader, table,
      broken: setup.hearts_broken ?? false, firstTrick: setup.first_trick ?? false,
    });
    for (const _ of table) this.deal.turn = this.nextInPlay(this.deal.turn);
    this.phase = "play";
  }

  // ---- 3 The deal

  cutPack() {
    return this.named ?? PACK;
  }

  cutBreaks(card) {
    const drawn = Object.values(this.cut.cards);
    return this.cutPack().includes(card) && !drawn.includes(card) ? [] : ["3.1a"];
  }

  drawCut(seat, card) {
    this.cut.cards[seat] = card;
    if (this.turn().length) return;
    const lowest = Math.min(...this.cut.seats.map((s) => rank(this.cut.cards[s])));
    const tied = this.cut.seats.filter((s) => rank(this.cut.cards[s]) === lowest);
    if (tied.length > 1) {
      this.cut = { seats: tied, cards: {}, before: this.cut.cards };
      return;
    }
    this.dealer = tied[0];
    this.phase = "deal";
  }

  dealtPack() {
    if (this.named) return this.named;
    if (this.options.removal === "none") return PACK;
    const lowestFirst = [..."23"].flatMap((r) => [..."CDSH"].map((s) => r + s));
    return without(PACK, lowestFirst.slice(0, 52 % this.players));
  }

  dealBreaks({ hands, stock, kitty }) {
    const pack = this.dealtPack();
    const all = this.options.hand_size === "all";
    const size = all ? Math.floor(pack.length / this.players) : this.options.hand_size;
    const dealt = [...hands, stock ?? "", kitty ?? ""].map(readCards);
    const fair = hands.length === this.players
      && dealt.slice(0, hands.length).every((hand) => hand.length === size)
      && !kitty
      && (!stock || this.options.undealt === "stock")
      && sameCards(dealt.flat(), pack);
    return fair ? [] : ["3.8"];
  }

  dealCards({ hands, stock }) {
    const [dealt, rest] = [hands.map(readCards), readCards(stock)];
    this.#beginDeal(dealt, rest, [...dealt.flat(), ...rest]);
    this.#beginPassOrPlay();
  }

  #beginDeal(hands, stock, inPlay) {
    const each = () => this.seats.map(() => []);
    this.result = null;
    this.deal = {
      hands, stock, inPlay, passed: {}, received: {},
      leader: -1, turn: -1, table: [], out: [], drew: [], playing: true,
      taken: each(), tricks: zeros(this.players), broken: false, firstTrick: true,
      history: [], revokes: [], snapshots: [], closed: true, quit: false,
      endedBy: null, choice: null, lastToPlay: -1,
    };
  }

  // ---- 4 Passing

  passWay() {
    const odd = this.players % 2 === 1;
    const cycle = this.options.pass_cycle.filter((way) => !(odd && way === "across"));
    return cycle.length ? cycle[(this.number - 1) % cycle.length] : "hold";
  }

  passTo(seat) {
    const steps = { left: 1, right: this.players - 1, across: this.players / 2 };
    return (seat + steps[this.passWay()]) % this.players;
  }

  passBreaks(seat, cards) {
    const addressed = typeof cards !== "string";
    const given = addressed ? Object.values(cards) : readCards(cards);
    const broken = [];
    if (!addressed && given.length !== this.options.pass_count) broken.push("4.4");
    if (without(given, this.deal.hands[seat]).length) broken.push("4.5");
    if (addressed) broken.push("4.6");
    return broken;
  }

  passCards(seat, cards) {
    const { hands, passed, received } = this.deal;
    passed[seat] = readCards(cards);
    if (this.turn().length) return;
    for (const giver of this.seats) received[this.passTo(giver)] = passed[giver];
    for (const s of this.seats) hands[s] = [...without(hands[s], passed[s]), ...received[s]];
    this.#beginPlay();
  }

  #beginPassOrPlay() {
    this.phase = "pass";
    if (this.passWay() === "hold") this.#beginPlay();
  }

  // ---- 5 Play

  #beginPlay() {
    this.phase = "play";
    this.deal.leader = this.deal.turn = this.openingLeader();
  }

  openingLeader() {
    const clubs = this.deal.hands.flat().filter(isClub).sort(byRank);
    if (this.options.opening_leader === "left_of_dealer" || !clubs.length) {
      return this.left(this.dealer);
    }
    return this.deal.hands.findIndex((hand) => hand.includes(clubs[0]));
  }

  playBreaks(seat, card) {
    const hand = this.deal.hands[seat];
    const conditions = [];
    if (!hand.includes(card)) conditions.push("5.7");
    if (this.mustDrawToFollow()) conditions.push("6.1");
    if (this.mustDrawToLead()) conditions.push("6.2");
    if (conditions.length) return conditions;
    const broken = [];
    let allowed = hand;
    for (const [clause, narrow] of this.narrowings()) {
      if (!narrow([...new Set([...allowed, card])], hand).includes(card)) broken.push(clause);
      allowed = narrow(allowed, hand);
    }
    return broken;
  }

  playable() {
    const hand = this.deal.hands[this.deal.turn];
    return this.narrowings().reduce((allowed, [, narrow]) => narrow(allowed, hand), hand);
  }

  narrowings() {
    return [
      ["5.2", (allowed) => this.openingCard(allowed)],
      ["5.3", (allowed) => this.followSuit(allowed)],
      ["5.4", (allowed, hand) => this.heartLead(allowed, hand)],
      ["5.5", (allowed) => this.noPoints(allowed)],
      ["5.6", (allowed, hand) => this.queenDuty(allowed, hand)],
    ];
  }

  leading() {
    return this.deal.table.length === 0;
  }

  ledSuit() {
    return suit(this.deal.table[0]);
  }

  openingCard(allowed) {
    const { firstTrick, drew } = this.deal;
    if (!this.leading() || !firstTrick || drew.length) return allowed;
    if (this.options.opening_card === "any") return allowed;
    const clubs = allowed.filter(isClub).sort(byRank);
    const open = this.options.opening_card === "any_club" ? clubs : clubs.slice(0, 1);
    return nonempty(open, allowed);
  }

  followSuit(allowed) {
    if (this.leading()) return allowed;
    return nonempty(allowed.filter((card) => suit(card) === this.ledSuit()), allowed);
  }

  heartLead(allowed, hand) {
    if (!this.leading() || this.options.heart_leads === "free") return allowed;
    if (this.deal.broken) return allowed;
    const heartsOrQueen = hand.every((card) => isHeart(card) || card === QUEEN);
    const drew = this.deal.drew.length > 0;
    if (this.options.hearts_or_queen_leader === "any" && heartsOrQueen && !drew) return allowed;
    return nonempty(allowed.filter((card) => !isHeart(card)), allowed);
  }

  noPoints(allowed) {
    if (!this.deal.firstTrick || this.options.first_trick_points === "allowed") return allowed;
    return nonempty(allowed.filter((card) => !this.isPenalty(card)), allowed);
  }

  queenDuty(allowed, hand) {
    if (this.leading() || this.options.queen_duty === "no") return allowed;
    const isVoid = !hand.some((card) => suit(card) === this.ledSuit());
    const covered = ["KS", "AS"].some((card) => this.deal.table.includes(card));
    const due = isVoid || (this.ledSuit() === "S" && covered);
    return due && allowed.includes(QUEEN) ? [QUEEN] : allowed;
  }

  breaksHearts(card) {
    return isHeart(card) || (card === QUEEN && this.options.queen_breaks_hearts);
  }

  playCard(seat, card) {
    const deal = this.deal;
    if (this.leading()) deal.leader = seat;
    if (this.leading()) deal.quit = false;
    deal.table = [...deal.table, card];
    deal.hands[seat] = without(deal.hands[seat], [card]);
    deal.broken ||= this.breaksHearts(card);
    deal.drew = [];
    deal.lastToPlay = seat;
    if (deal.table.length < this.players - deal.out.length) deal.turn = this.nextInPlay(seat);
    else this.#completeTrick();
  }

  winnerOf(cards, leader) {
    const followers = cards.filter((card) => suit(card) === suit(cards[0]));
    const highest = followers.sort(byRank).at(-1);
    let seat = leader;
    for (let i = 0; i < cards.indexOf(highest); i += 1) seat = this.nextInPlay(seat);
    return seat;
  }

  #completeTrick() {
    const deal = this.deal;
    const winner = this.winnerOf(deal.table, deal.leader);
    deal.history.push({ leader: deal.leader, cards: deal.table, winner });
    deal.taken[winner] = [...deal.taken[winner], ...deal.table];
    deal.tricks[winner] += 1;
    deal.table = [];
    deal.firstTrick = false;
    deal.closed = false;
    deal.out = this.seats.filter((seat) => !deal.hands[seat].length);
    if (this.players - deal.out.length <= 1) return this.#endPlay();
    deal.leader = deal.turn = this.nextLeader(winner);
  }

  #endPlay() {
    this.deal.playing = false;
    this.#giveRestOfStock();
    this.#settle();
  }

  // ---- 6 Drawing

  cannotFollow() {
    const hand = this.deal.hands[this.deal.turn];
    return !hand.some((card) => suit(card) === this.ledSuit());
  }

  mustDrawToFollow() {
    return !this.leading() && this.deal.stock.length > 0 && this.cannotFollow();
  }

  mustDrawToLead() {
    const { stock, broken, hands, turn } = this.deal;
    if (this.options.all_hearts_leader !== "draw" || !this.leading()) return false;
    if (this.options.heart_leads === "free" || broken) return false;
    return stock.length > 0 && hands[turn].every(isHeart);
  }

  drawIsDue() {
    return this.mustDrawToFollow() || this.mustDrawToLead();
  }

  drawCard(seat) {
    const deal = this.deal;
    const [top, ...rest] = deal.stock;
    deal.stock = rest;
    deal.hands[seat] = [...deal.hands[seat], top];
    deal.drew = [...deal.drew, top];
    for (const snapshot of deal.snapshots) snapshot.drawnSince[seat].push(top);
    if (this.leading() && this.options.revoke_until === "next_lead") deal.closed = true;
  }

  nextLeader(winner) {
    let seat = winner;
    while (!this.deal.hands[seat].length) seat = this.left(seat);
    return seat;
  }

  #giveRestOfStock() {
    const { hands, stock, lastToPlay } = this.deal;
    const survivor = hands.findIndex((hand) => hand.length);
    let taker = -1;
    if (survivor >= 0 && this.options.survivor_takes_stock) taker = survivor;
    if (survivor < 0 && this.options.no_survivor_stock === "last_to_play") taker = lastToPlay;
    if (taker < 0) return;
    hands[taker] = [...hands[taker], ...stock];
    this.deal.stock = [];
  }

  // ---- 7 Revokes

  isIrregular(broken) {
    return this.options.revokes === "penalised" && broken.length === 1 && broken[0] === "5.3";
  }

  trickNumber() {
    return this.deal.tricks.reduce((sum, won) => sum + won, 0) + 1;
  }

  playRevoke(seat, card) {
    const deal = this.deal;
    const index = deal.snapshots.length;
    const { snapshots, revokes, ...before } = deal;
    const drawnSince = this.seats.map(() => []);
    snapshots.push({ before: structuredClone(before), drawnSince });
    deal.revokes.push({ seat, card, trick: this.trickNumber(), index, fate: "made" });
    this.playCard(seat, card);
  }

  canCorrect(revoke) {
    const deal = this.deal;
    if (deal.endedBy !== null) return false;
    const last = this.trickNumber() - 1;
    if (revoke.trick > last) return true;
    if (revoke.trick < last || this.options.revoke_until === "trick_complete") return false;
    return this.leading() && !deal.closed;
  }

  retractBreaks(seat, card) {
    const revoke = this.deal?.revokes.find(
      (one) => one.seat === seat && one.card === card && one.fate === "made");
    if (!revoke) return ["7.3"];
    return this.canCorrect(revoke) ? [] : ["7.4"];
  }

  retract(seat, card) {
    const { revokes, snapshots } = this.deal;
    const revoke = revokes.find(
      (one) => one.seat === seat && one.card === card && one.fate === "made");
    const { before, drawnSince } = snapshots[revoke.index];
    const stock = without(before.stock, drawnSince.flat());
    const kept = revokes.filter((one) => one.fate !== "made" || one.index <= revoke.index);
    revoke.fate = "corrected";
    this.deal = { ...before, stock, revokes: kept, snapshots: snapshots.slice(0, revoke.index) };
    this.deal.hands = this.deal.hands.map((hand, s) => [...hand, ...drawnSince[s]]);
    this.#unsettle();
    this.phase = "play";
  }

  quitBreaks(seat) {
    const deal = this.deal;
    const open = this.options.revokes === "penalised"
      && this.options.revoke_until === "trick_quitted"
      && deal && deal.endedBy === null && this.leading() && !deal.quit
      && deal.history.at(-1)?.winner === seat;
    return open ? [] : ["7.6"];
  }

  quitTrick() {
    this.deal.quit = this.deal.closed = true;
  }

  claimBreaks({ seat, trick }) {
    const deal = this.deal;
    const done = deal ? this.trickNumber() - 1 : 0;
    const revoke = deal?.revokes.find(
      (one) => one.seat === seat && one.trick === trick && one.fate === "made");
    const endsTheTime = deal && !deal.playing && trick === done;
    const broken = [];
    if (trick > done || (revoke && this.canCorrect(revoke) && !endsTheTime)) broken.push("7.7");
    if (!revoke) broken.push("7.7a");
    if (deal && deal.endedBy !== null) broken.push("7.7b");
    return broken;
  }

  claim({ seat, trick }) {
    const deal = this.deal;
    deal.revokes.find((one) => one.seat === seat && one.trick === trick && one.fate === "made")
      .fate = "established";
    if (trick === this.trickNumber() - 1) deal.closed = true;
    if (this.options.revoke_ends_deal) deal.endedBy = seat;
    if (deal.playing && deal.endedBy === null) return;
    this.#unsettle();
    this.#settle();
  }

  revokeCost() {
    const { revoke_points: cost } = this.options;
    return cost === "all" ? this.pointsOf(this.deal.inPlay) : cost;
  }

  // ---- 8 Scoring

  cardsOf(seat) {
    return [...this.deal.taken[seat], ...this.deal.hands[seat]];
  }

  shooter() {
    const { inPlay, revokes } = this.deal;
    if (this.options.moon === "none") return -1;
    const hearts = inPlay.filter(isHeart).length;
    const enough = this.options.queen_points ? hearts > 0 && inPlay.includes(QUEEN) : hearts > 1;
    if (!enough) return -1;
    const penalties = inPlay.filter((card) => this.isPenalty(card));
    const seat = this.seats.find((s) => !without(penalties, this.cardsOf(s)).length) ?? -1;
    const caught = revokes.some((one) => one.seat === seat && one.fate === "established");
    return caught ? -1 : seat;
  }

  moonPoints(shooter) {
    const { tricks, inPlay } = this.deal;
    const isSun = this.seats.every((seat) => seat === shooter || tricks[seat] === 0);
    if (isSun && this.options.sun_points !== 0) return this.options.sun_points;
    return this.pointsOf(inPlay);
  }

  moonChoices() {
    if (this.options.moon === "choice_all") return ["self_minus", "others_plus"];
    const others = this.seats.filter((seat) => seat !== this.shooter());
    return ["self_minus", ...others.map((one) => ({ one }))];
  }

  moonBreaks(choice) {
    const same = (one) => JSON.stringify(one) === JSON.stringify(choice);
    return this.moonChoices().some(same) ? [] : ["8.6"];
  }

  settledMoon(shooter, choice) {
    const points = this.moonPoints(shooter);
    return this.seats.map((seat) => {
      if (choice === "self_minus") return seat === shooter ? -points : 0;
      if (choice === "others_plus") return seat === shooter ? 0 : points;
      return seat === choice.one ? points : 0;
    });
  }

  scoreWith(shooter, choice) {
    const { tricks, revokes } = this.deal;
    const score = shooter < 0
      ? this.seats.map((seat) => this.pointsOf(this.cardsOf(seat)))
      : this.settledMoon(shooter, choice);
    for (const seat of this.seats) {
      if (this.cardsOf(seat).includes(this.options.bonus_card)) score[seat] += this.options.bonus_points;
      if (shooter < 0 && tricks[seat] === 0) score[seat] += this.options.no_trick_points;
    }
    for (const one of revokes) if (one.fate === "established") score[one.seat] += this.revokeCost();
    return score;
  }

  // The moon as it is settled: a way, or null while the shooter has to choose.
  moonWay(shooter) {
    const { moon } = this.options;
    if (moon === "choice_all" || moon === "choice_one") return this.deal.choice;
    if (moon !== "others_plus_unless_losing") return moon;
    const { over, totals } = this.outcome(this.scoreWith(shooter, "others_plus"));
    const loses = over && this.winners(totals).some((seat) => seat !== shooter);
    return loses ? "self_minus" : "others_plus";
  }

  // Scores the deal, unless the shooter of a moon has to choose first.
  #settle() {
    const { endedBy } = this.deal;
    if (endedBy !== null) {
      return this.#finish(this.seats.map((seat) => (seat === endedBy ? this.revokeCost() : 0)));
    }
    const shooter = this.shooter();
    if (shooter < 0) return this.#finish(this.scoreWith(-1, null));
    const way = this.moonWay(shooter);
    this.phase = "moon";
    if (way !== null) this.#finish(this.scoreWith(shooter, way));
  }

  chooseMoon(choice) {
    this.deal.choice = choice;
    this.#settle();
  }

  // ---- 9 The match

  winners(totals) {
    const lowest = Math.min(...totals);
    return this.seats.filter((seat) => totals[seat] === lowest);
  }

  outcome(score) {
    const { limit, limit_rule: rule, exact_limit_becomes: reset, ties } = this.options;
    const sums = this.seats.map((seat) => this.totals[seat] + score[seat]);
    const totals = sums.map((sum) => (reset !== "none" && sum === limit ? reset : sum));
    if (limit === "none") return { totals, reached: false, over: this.number >= this.options.deals };
    const beyond = (sum) => (rule === "reach" ? sum >= limit : sum > limit);
    const reached = this.reached || totals.some(beyond);
    const tied = ties === "play_on" && this.winners(totals).length > 1;
    return { totals, reached, over: reached && !tied };
  }

  #finish(score) {
    const { totals, reached, over } = this.outcome(score);
    this.result = { score, over, was: [this.totals, this.reached, this.dealer, this.number] };
    this.totals = totals;
    this.phase = "over";
    if (!this.isMatch || over) return;
    this.reached = reached;
    this.dealer = this.left(this.dealer);
    this.number += 1;
    this.phase = "deal";
  }

  #unsettle() {
    if (this.result) [this.totals, this.reached, this.dealer, this.number] = this.result.was;
    this.result = null;
  }

  // ---- Judging and doing

  breaks(seat, act) {
    const [kind] = Object.keys(act);
    const broken = [];
    if (ANYTIME.includes(kind)) {
      if (!["play", "moon", "deal", "over"].includes(this.phase)) broken.push("2.4");
    } else {
      if (!this.turn().includes(seat)) broken.push("2.3");
      if (PHASE_OF[kind] !== this.phase) broken.push("2.4");
    }
    if (broken.length) return broken;
    switch (kind) {
      case "cut": return this.cutBreaks(act.cut);
      case "deal": return this.dealBreaks(act.deal);
      case "pass": return this.passBreaks(seat, act.pass);
      case "forward": return ["4.9"];
      case "draw": return this.drawIsDue() ? [] : ["6.3"];
      case "play": return this.playBreaks(seat, act.play);
      case "retract": return this.retractBreaks(seat, act.retract);
      case "quit": return this.quitBreaks(seat);
      case "claim": return this.claimBreaks(act.claim);
      default: return this.moonBreaks(act.moon);
    }
  }

  // Does an act that is legal, or that is an irregular revoke.
  apply(seat, act, broken = []) {
    const [kind] = Object.keys(act);
    const tricks = this.deal?.history.length ?? 0;
    this.drawnThisTurn = this.deal?.drew ?? [];
    switch (kind) {
      case "cut": this.drawCut(seat, act.cut); break;
      case "deal": this.dealCards(act.deal); break;
      case "pass": this.passCards(seat, act.pass); break;
      case "draw": this.drawCard(seat); break;
      case "play": broken.length ? this.playRevoke(seat, act.play) : this.playCard(seat, act.play); break;
      case "retract": this.retract(seat, act.retract); break;
      case "quit": this.quitTrick(); break;
      case "claim": this.claim(act.claim); break;
      default: this.chooseMoon(act.moon);
    }
    const onTurn = this.phase === "play" && this.deal.turn === seat;
    if (kind !== "play") this.drawnThisTurn = onTurn ? this.deal.drew : [];
    this.completed = kind === "play" && this.deal.history.length > tricks;
  }

  // ---- What can be seen

  legal() {
    const turn = this.turn();
    switch (this.phase) {
      case "cut": return { turn, cut: this.cutPack().length - Object.keys(this.cut.cards).length };
      case "deal": return { turn, deal: 1 };
      case "pass": return { turn, pass: waysToChoose(this.deal.hands[turn[0]].length, this.options.pass_count) };
      case "moon": return { turn, moon: this.moonChoices() };
      case "play": return this.drawIsDue() ? { turn, draw: 1 } : { turn, play: showSet(this.playable()) };
      default: return { turn, over: true };
    }
  }

  cutShown() {
    const fresh = Object.keys(this.cut.cards).length > 0;
    const shown = fresh ? this.cut.cards : this.cut.before;
    return this.seats.map((seat) => shown[seat] ?? "");
  }

  trickShown({ leader, cards, winner }) {
    return { leader, cards: showSequence(cards), winner };
  }

  tableShown() {
    return { leader: this.deal.leader, cards: showSequence(this.deal.table) };
  }

  observe() {
    const { deal, result } = this;
    const seen = {
      phase: this.phase, turn: this.turn(), totals: this.totals, over: this.phase === "over",
      match: result?.over ? { over: true, winners: this.winners(this.totals) } : { over: false },
    };
    if (this.dealer >= 0) Object.assign(seen, { dealer: this.dealer, deal: this.number });
    if (this.cut.seats.length) seen.cut = this.cutShown();
    if (!deal) return seen;
    if (this.completed) seen.trick = this.trickShown(deal.history.at(-1));
    if (this.phase === "play") seen.table = this.tableShown();
    if (result) seen.score = result.score;
    return Object.assign(seen, {
      hearts_broken: deal.broken,
      drew: showSequence(this.drawnThisTurn ?? []),
      out: this.seats.filter((seat) => !deal.hands[seat].length),
      hands: deal.hands.map(showSet), taken: deal.taken.map(showSet), tricks: [...deal.tricks],
      stock: showSequence(deal.stock), kitty: "",
      points: deal.taken.map((cards) => this.pointsOf(cards)),
      revokes: deal.revokes.map((one) => this.revokeShown(one)),
    });
  }

  revokeShown(revoke) {
    const { seat, trick, fate } = revoke;
    const made = this.canCorrect(revoke) ? "open" : "standing";
    return { seat, trick, state: fate === "made" ? made : fate };
  }

  view(seat) {
    const { deal } = this;
    const seen = { seat, totals: this.totals };
    if (this.cut.seats.length) seen.cut = this.cutShown();
    if (this.turn().includes(seat)) seen.legal = this.legal();
    if (!deal) {
      return { ...seen, hand: "", held: [], stock: 0, kitty: 0, history: [],
        hearts_broken: false, points: [] };
    }
    if (deal.passed[seat]) seen.passed = showSet(deal.passed[seat]);
    if (deal.received[seat]) seen.received = showSet(deal.received[seat]);
    if (this.phase === "play") seen.table = this.tableShown();
    if (this.phase === "play" && deal.turn === seat && deal.drew.length) seen.drew = showSequence(deal.drew);
    return { ...seen,
      hand: showSet(deal.hands[seat]), held: deal.hands.map((hand) => hand.length),
      stock: deal.stock.length, kitty: 0, hearts_broken: deal.broken,
      history: deal.history.map(this.trickShown),
      points: deal.taken.map((cards) => this.pointsOf(cards)) };
  }
}

function waysToChoose(from, take) {
  let ways = 1;
  for (let i = 0; i < take; i += 1) ways = (ways * (from - i)) / (i + 1);
  return Math.round(ways);
}
