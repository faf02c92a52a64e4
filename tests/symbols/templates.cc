// SPDX-License-Identifier: GPL-2.0-or-later
/* Many functions of templates, inlined into each other: names that are long, and chains that are deep. */
#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <numeric>
#include <regex>
#include <sstream>
#include <string>
#include <tuple>
#include <unordered_map>
#include <variant>
#include <vector>

namespace work
{
template <typename Key, typename Value> class table {
public:
	void add(const Key &key, Value value)
	{
		rows[key].push_back(std::move(value));
	}
	template <typename Fn> auto fold(Fn fn) const
	{
		decltype(fn(rows.begin()->second)) sum{};

		for (const auto &row : rows)
			sum += fn(row.second);
		return sum;
	}

private:
	std::map<Key, std::vector<Value>> rows;
};

template <int N> struct stair {
	static std::string climb(std::string text)
	{
		std::reverse(text.begin(), text.end());
		return stair<N - 1>::climb(text + std::to_string(N));
	}
};
template <> struct stair<0> {
	static std::string climb(std::string text)
	{
		return text;
	}
};

using any = std::variant<int, double, std::string, std::vector<int>>;

struct measure {
	size_t operator()(int n) const { return static_cast<size_t>(n); }
	size_t operator()(double n) const { return static_cast<size_t>(n * 2); }
	size_t operator()(const std::string &s) const { return s.size(); }
	size_t operator()(const std::vector<int> &v) const
	{
		return static_cast<size_t>(std::accumulate(v.begin(), v.end(), 0));
	}
};
} // namespace work

int main(int argc, char **argv)
{
	work::table<std::string, work::any> table;
	std::unordered_map<std::string, std::function<size_t(size_t)>> actions;
	std::regex words("([a-z]+)-([0-9]+)");
	std::vector<std::tuple<int, std::string, double>> rows;
	std::ostringstream out;
	size_t total = 0;

	for (int i = 0; i < argc * 40; i++) {
		std::string text = work::stair<12>::climb(argv[0]);
		std::smatch match;

		table.add(text, i);
		table.add(text, std::vector<int>{i, i + 1});
		table.add(text, text);
		rows.emplace_back(i, text, i * 0.5);
		actions[text] = [i](size_t n) { return n + static_cast<size_t>(i); };
		if (std::regex_search(text, match, words))
			out << match[1] << match[2];
	}
	std::sort(rows.begin(), rows.end(), [](const auto &a, const auto &b) {
		return std::tie(std::get<2>(a), std::get<1>(a)) < std::tie(std::get<2>(b), std::get<1>(b));
	});
	for (const auto &[name, action] : actions)
		total += action(name.size());
	total += table.fold([](const std::vector<work::any> &values) {
		size_t sum = 0;

		for (const auto &value : values)
			sum += std::visit(work::measure(), value);
		return sum;
	});
	return static_cast<int>((total + rows.size() + out.str().size()) & 1);
}
