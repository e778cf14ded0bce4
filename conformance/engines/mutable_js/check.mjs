// Plays 2,000 random deals and asserts what must hold in every one of them.

import assert from 'node:assert/strict';
import { Game, IllegalMove } from './hearts.mjs';

let state = 12345;
function random() {
  state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff;
  return (state >>> 8) / 0x800000;
}
const pick = (list) => list[Math.floor(random() * list.length)];
const namesOf = (cards) => cards.map((card) => card.name).sort();
const sum = (numbers) => numbers.reduce((a, b) => a + b, 0);
const refused = (act) => assert.throws(act, IllegalMove);

function whole(game) {
  const cards = game.players.flatMap((p) => [...p.hand, ...p.won]).concat(game.table.map((entry) => entry.card));
  assert.equal(new Set(namesOf(cards)).size, 52);
  assert.equal(cards.length, 52);
}

function passCards(game) {
  const steps = [1, 3, 2, 0][(game.round - 1) % 4];
  assert.equal(game.phase, steps === 0 ? 'play' : 'pass');
  if (steps === 0) return;
  const before = game.players.map((p) => namesOf(p.hand));
  const packets = [];
  for (const seat of [0, 1, 2, 3].sort(() => random() - 0.5)) {
    const hand = namesOf(game.players[seat].hand);
    assert.deepEqual(hand, before[seat]);
    const packet = [];
    while (packet.length < 3) {
      const name = pick(hand);
      if (!packet.includes(name)) packet.push(name);
    }
    refused(() => game.pass(seat, packet.slice(1)));
    refused(() => game.play(seat, packet[0]));
    packets[seat] = packet;
    game.pass(seat, packet);
    refused(() => game.pass(seat, packet));
  }
  game.players.forEach((player, seat) => {
    const expected = before[seat].filter((name) => !packets[seat].includes(name)).concat(packets[(seat + 4 - steps) % 4]);
    assert.deepEqual(namesOf(player.hand), expected.sort());
  });
}

function playTrick(game, number) {
  const { leader } = game;
  const plays = [];
  let broken = game.heartsBroken;
  for (let i = 0; i < 4; i++) {
    const seat = (leader + i) % 4;
    assert.equal(game.turn, seat);
    const hand = [...game.players[seat].hand];
    const legal = game.playable(seat);
    assert.ok(legal.length > 0);
    for (const card of hand.filter((one) => !legal.includes(one))) refused(() => game.play(seat, card.name));
    refused(() => game.play((seat + 1) % 4, game.players[(seat + 1) % 4].hand[0]?.name));
    assert.equal(game.heartsBroken, broken);
    const { suit } = plays[0]?.card ?? {};
    const follow = hand.filter((card) => card.suit === suit);
    if (i > 0 && follow.length > 0) assert.deepEqual(namesOf(legal), namesOf(follow));
    if (i === 0 && number === 0) assert.deepEqual(namesOf(legal), ['2C']);
    if (i === 0 && number > 0 && !broken && hand.some((card) => card.suit !== 'H')) {
      assert.ok(legal.every((card) => card.suit !== 'H'));
      assert.equal(legal.length, hand.filter((card) => card.suit !== 'H').length);
    } else if (number > 0 && (i === 0 || follow.length === 0)) {
      assert.equal(legal.length, hand.length);
    }
    if (number === 0 && hand.some((card) => card.points === 0)) assert.ok(legal.every((card) => card.points === 0));
    const card = pick(legal);
    game.play(seat, card.name);
    broken ||= card.suit === 'H';
    assert.equal(game.heartsBroken, broken);
    plays.push({ seat, card });
    whole(game);
  }
  const best = plays.filter((p) => p.card.suit === plays[0].card.suit).sort((a, b) => b.card.rank - a.card.rank)[0];
  assert.equal(game.lastTrick.winner, best.seat);
  assert.equal(game.leader, best.seat);
}

const game = new Game();
const seen = { moons: 0, over: 0, ties: 0 };
game.dealAtRandom(random);
for (let n = 0; n < 2000; n++) {
  const before = game.players.map((p) => p.total);
  assert.equal(game.heartsBroken, false);
  whole(game);
  passCards(game);
  for (let trick = 0; trick < 13; trick++) playTrick(game, trick);
  assert.equal(game.phase, 'over');
  const points = game.players.map((p) => p.points);
  const scores = game.players.map((p) => p.score);
  assert.equal(sum(points), 26);
  assert.equal(sum(game.players.map((p) => p.tricks)), 13);
  if (points.includes(26)) {
    seen.moons += 1;
    assert.deepEqual(scores, points.map((p) => 26 - p));
  } else {
    assert.deepEqual(scores, points);
  }
  const totals = game.players.map((p) => p.total);
  assert.deepEqual(totals, before.map((total, seat) => total + scores[seat]));
  assert.equal(game.finished, Math.max(...totals) >= 100);
  assert.deepEqual(game.winners.map((p) => p.total), totals.filter((total) => total === Math.min(...totals)));
  if (game.finished) {
    seen.over += 1;
    if (game.winners.length > 1) seen.ties += 1;
    for (const player of game.players) player.total = 0;
  }
  game.nextRound(random);
}
console.log(`2000 deals, ${seen.moons} moons, ${seen.over} matches over, ${seen.ties} of them tied`);
